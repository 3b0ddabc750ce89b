# SPDX-License-Identifier: Apache-2.0
"""A machine without a GPU, or with an old driver: --backend cuda ends in one sentence, auto takes
the CPU and says why. Needs no GPU: slipfield_faulty hides the one there is."""
import os
import unittest

import machine
from program import call, case_folder, errors_of

REASONS = {
    "no_device": "no CUDA-capable device is detected",
    "driver:12020": "the NVIDIA driver is made for CUDA 12.2, this program needs one for CUDA ",
    "driver:0": "no NVIDIA driver is installed",
}


class Driver(unittest.TestCase):
    def test_asked_for_the_gpu_it_says_why_there_is_none(self):
        for fault, reason in REASONS.items():
            with self.subTest(fault), case_folder():
                done = call("run", "case.yaml", "--backend", "cuda",
                            env=dict(os.environ, SLIPFIELD_FAULT=fault))
                self.assertEqual(done.returncode, 3, done.stderr)
                self.assertEqual(len(errors_of(done)), 1, done.stderr)
                self.assertIn(f"backend cuda: no GPU answers: {reason}", done.stderr)
                self.assertEqual(done.stdout, "")
                self.assertEqual(os.listdir(), ["case.yaml"])

    def test_a_gpu_named_by_its_number_has_to_be_there(self):
        for fault, reason in REASONS.items():
            for backend in ("auto", "cuda"):
                with self.subTest(fault), case_folder():
                    done = call("run", "case.yaml", "--backend", backend, "--device", "0",
                                env=dict(os.environ, SLIPFIELD_FAULT=fault))
                    self.assertEqual(done.returncode, 2, done.stderr)
                    self.assertIn(f"device 0: there is no such GPU; this machine shows none ({reason}",
                                  done.stderr)

    def test_left_the_choice_it_takes_the_cpu_and_says_why(self):
        for fault, reason in REASONS.items():
            with self.subTest(fault), case_folder():
                done = call("run", "case.yaml", env=dict(os.environ, SLIPFIELD_FAULT=fault))
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertRegex(done.stderr, rf"backend: cpu on .* \({reason}")

    def test_info_says_it_too(self):
        for fault, reason in REASONS.items():
            with self.subTest(fault):
                done = call("info", env=dict(os.environ, SLIPFIELD_FAULT=fault))
                self.assertEqual(done.returncode, 0)
                self.assertIn(f"none: {reason}", done.stdout)


if __name__ == "__main__":
    machine.run_tests(verbosity=2)
