// SPDX-License-Identifier: Apache-2.0
// Parts of a step as the libraries name them: all of it, one wheel of a wheelset, or one contact.
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
  // The contact, from 1: counted on its side or, for the whole, as in the result file with the left
  // wheel's first. 0: the whole side rather than a contact.
  int contact = 0;
};

// Throws InputError if the part names a side or a contact above 1: a case of one contact has
// neither.
void require_one_contact(const ResultPart& part);

std::vector<Side> sides_of(const WheelsetOfStep& wheelset);
// All throw InputError for a side or a contact that the step does not have.
int contact_count(const WheelsetOfStep& wheelset, StepSide side);
const SolvedPatch& contact_of(const WheelsetOfStep& wheelset, const ResultPart& part);
// A contact has the numbers of contact_table() and its quantities; a side and the whole have those
// of wheel/table.h. The whole also has each side's numbers as "left_..." and "right_...", and under
// their plain names those of the contact with the greatest normal force. `inside`: the interior's
// numbers of each contact; empty without them.
NamedNumbers numbers_of(const WheelsetOfStep& wheelset, const ResultPart& part,
                        const std::vector<NamedNumbers>& inside = {});
// Returns whether the wheel that a number belongs to touches: the one of the side; for the whole
// the one named by "left_..." or "right_...", else any.
bool touches(const WheelsetOfStep& wheelset, StepSide side, std::string_view name);
// Returns true for a total that exists only if the wheel touches, unlike the wheel's place and
// forces.
bool is_total_of_contacts(std::string_view name);
// Returns true for a number that is computed from the stresses inside the bodies.
bool is_of_interior(std::string_view name);
// Whether the request has the stress that such a number belongs to.
bool is_asked_for(const InteriorRequest& request, std::string_view name);
// Returns one of the numbers; NaN for a total of contacts if nothing touches. Throws InputError for
// a name that is unknown or that the step does not have.
double number_of(const NamedNumbers& numbers, std::string_view name, bool touches);

// The part and the name in "left_contact_2_normal_force"; any other name belongs to the whole.
struct NameOfPart {
  ResultPart part;
  std::string_view name;
};
NameOfPart name_of_part(std::string_view text);

// Returns the centres of the elements, x, y, z each, x fastest: for a wheel's contact in track
// coordinates, for a single contact in its own with z = 0.
std::vector<double> element_centres(const Grid& grid, const ContactPatch* patch);

// Copies a field by its name; `solution` has the contact's fields. values: one per element, for
// row_field_table() one per row of elements.
void copy_field(std::string_view name, const StepInput& input, const ContactSolution& solution,
                std::span<double> values);

}  // namespace slipfield
