// SPDX-License-Identifier: Apache-2.0
// gnuplot draws the figures: a program of its own, driven through its standard streams.
//
// Commands and data go in as one script, the picture comes back as bytes: neither a shell nor the
// name of a file is involved, so no text of a result can become a command. Every text must go
// through gnuplot_text(); the script's terminal must be `noenhanced`.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace slipfield {

// mp4: frames that gnuplot draws as PNG.
enum class PictureFormat { png, svg, pdf, gif, mp4 };

// Text that every reader of UTF-8 takes: control characters become blanks, what is not UTF-8
// becomes U+FFFD.
std::string clean_text(std::string_view text);

// The clean text as a quoted string of gnuplot, shown character by character: quotes are doubled.
std::string gnuplot_text(std::string_view text);

// Values as float32, for `plot '-' binary`; not a number draws nothing.
std::string gnuplot_floats(std::span<const double> values);

// The picture that the script draws on its terminal. Throws Error where gnuplot is not installed,
// fails, or delivers no complete picture.
std::string run_gnuplot(const std::string& script, PictureFormat format);

}  // namespace slipfield
