// SPDX-License-Identifier: Apache-2.0
// Parts of a step, as the libraries name them: all of it, a wheel of a wheelset, or a contact.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "app/run/step_session.h"
#include "io/result/wheel/table.h"

namespace slipfield {

enum class StepSide { whole, left, right };

struct ResultPart {
  StepSide side = StepSide::whole;
  // From 1: of the side; of the whole as the result file counts them, those of the left wheel
  // first. 0: none of them, all of the side.
  int contact = 0;
};

// A case of one contact has no sides, and no contact but 1, which is all of it. Throws InputError.
void require_one_contact(const ResultPart& part);

std::vector<Side> sides_of(const WheelsetOfStep& wheelset);
// All throw InputError for a side or a contact that the step does not have.
int contact_count(const WheelsetOfStep& wheelset, StepSide side);
const SolvedPatch& contact_of(const WheelsetOfStep& wheelset, const ResultPart& part);
// A contact has the numbers of contact_table() and its quantities; a side and the whole have those
// of wheel/table.h. The whole also has a side's numbers as "left_...", and under their own names
// those of the contact with the greatest normal force.
NamedNumbers numbers_of(const WheelsetOfStep& wheelset, const ResultPart& part);
// Whether the wheel touches that a number is of: one of the side; of the whole the wheel that
// "left_..." or "right_..." names, else any.
bool touches(const WheelsetOfStep& wheelset, StepSide side, std::string_view name);
// A total that only a wheel that touches has: not of the wheel's place and forces.
bool is_total_of_contacts(std::string_view name);
// One of them. NaN: one of the contacts', where nothing touches. Throws InputError for a name that
// is unknown, or that the step does not have.
double number_of(const NamedNumbers& numbers, std::string_view name, bool touches);

// The part and the name in "left_contact_2_normal_force"; of all other names the whole, and the
// name.
struct NameOfPart {
  ResultPart part;
  std::string_view name;
};
NameOfPart name_of_part(std::string_view text);

// Centres of the elements, x, y, z of each, x fastest. Of a wheel's contact in track coordinates,
// of one contact alone in its own, z = 0.
std::vector<double> element_centres(const Grid& grid, const ContactPatch* patch);

// A field by its name; of a contact whose fields are `solution`. values: one for each element, of
// row_field_table() one for each row of elements.
void copy_field(std::string_view name, const StepInput& input, const ContactSolution& solution,
                std::span<double> values);

}  // namespace slipfield
