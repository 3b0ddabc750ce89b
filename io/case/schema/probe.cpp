// SPDX-License-Identifier: Apache-2.0
#include "io/case/schema/probe.h"

#include <algorithm>

#include "io/case/sections.h"
#include "io/case/sweep.h"
#include "solver/error.h"

namespace slipfield {
namespace {

const SourceText& probe_source() {
  static const SourceText source("probe", "", SourceText::Kind::argument);
  return source;
}

YamlNode node_of(YamlNode::Kind kind) {
  YamlNode node;
  node.kind = kind;
  node.place = {&probe_source(), 0, 0};
  return node;
}

// The first segment of a path, which is left without it.
std::string_view take_segment(std::string_view& path) {
  const std::size_t dot = std::min(path.find('.'), path.size());
  const std::string_view segment = path.substr(0, dot);
  path.remove_prefix(std::min(dot + 1, path.size()));
  return segment;
}

void add_text(const YamlNode& node, std::string& text) {
  if (node.kind == YamlNode::Kind::scalar) text += '"' + node.text + '"';
  if (node.kind == YamlNode::Kind::null) text += '~';
  if (node.items.empty() && node.kind == YamlNode::Kind::sequence) text += "[]";
  if (node.kind == YamlNode::Kind::map) text += '{';
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    text += i < node.keys.size() ? node.keys[i].name + ":" : "- ";
    add_text(node.items[i], text);
    text += ',';
  }
  if (node.kind == YamlNode::Kind::map) text += '}';
}

}  // namespace

ProbeCase::ProbeCase() : root_(node_of(YamlNode::Kind::map)) {}

YamlNode& ProbeCase::reach(std::string_view path) {
  YamlNode* node = &root_;
  while (!path.empty()) {
    const std::string_view segment = take_segment(path);
    const bool member = segment == "*";
    const auto kind = member ? YamlNode::Kind::sequence : YamlNode::Kind::map;
    if (node->kind != kind) *node = node_of(kind);
    const auto index = member ? (node->items.empty() ? std::nullopt : std::optional<std::size_t>(0))
                              : node->index_of(segment);
    if (!index) {
      if (!member) node->keys.push_back({std::string(segment), {&probe_source(), 0, 0}});
      node->items.push_back(node_of(YamlNode::Kind::null));
    }
    node = &node->items[index.value_or(node->items.size() - 1)];
  }
  return *node;
}

void ProbeCase::put(std::string_view path, Value value) {
  YamlNode& node = reach(path);
  if (value == Value::nothing) node = node_of(YamlNode::Kind::null);
  if (value == Value::map) node = node_of(YamlNode::Kind::map);
  if (value != Value::maps) return;
  node = node_of(YamlNode::Kind::sequence);
  node.items.push_back(node_of(YamlNode::Kind::map));
}

void ProbeCase::put(std::string_view path, const std::string& scalar) {
  YamlNode& node = reach(path);
  node = node_of(YamlNode::Kind::scalar);
  node.text = scalar;
}

const YamlNode* ProbeCase::find(std::string_view path) const {
  const YamlNode* node = &root_;
  while (!path.empty() && node != nullptr) {
    const std::string_view segment = take_segment(path);
    if (segment == "*")
      node = node->kind == YamlNode::Kind::sequence && !node->items.empty() ? &node->items[0]
                                                                            : nullptr;
    else
      node = node->find(segment);
  }
  return node;
}

bool ProbeCase::has(std::string_view path) const { return find(path) != nullptr; }

bool ProbeCase::has_value(std::string_view path) const {
  const YamlNode* node = find(path);
  return node != nullptr && node->kind != YamlNode::Kind::null;
}

std::string ProbeCase::text() const {
  std::string text;
  add_text(root_, text);
  return text;
}

void ProbeCase::read(ObservedCase& observed) const {
  CaseDiagnostics diagnostics;
  diagnostics.observe(&observed);
  CaseSection root(root_, {&probe_source(), 0, 0}, "", diagnostics);
  SweepPosition position;
  try {
    if (root.has("sweep")) {
      position = {1, kMaxSweepPoints, true};
      read_sweep_entries(root);
    }
    HeightsFiles files;
    read_sections(root, "probe.yaml", position, files);
  } catch (const InputError&) {  // what was asked until then counts
  }
}

}  // namespace slipfield
