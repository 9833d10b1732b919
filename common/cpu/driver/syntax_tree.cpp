#include "syntax_tree.hpp"

#include "words.hpp"

#include <algorithm>
#include <cstdlib>
#include <set>
#include <string_view>

namespace course_cpu::nvcc {
namespace {

// A line, and a node two columns to the right of its parent:
// | |-DeclRefExpr 0x3407b50 <line:14:10> 'const float[3]' lvalue Var 0x3397160 'weights' ...
struct Node {
  explicit Node(std::string_view line)
      : depth(std::min(line.find_first_not_of(" |-`"), line.size())) {
    line.remove_prefix(depth);
    kind = line.substr(0, line.find(' '));
    text = line.substr(kind.size());
  }

  bool is_one_of(std::initializer_list<std::string_view> kinds) const {
    return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
  }
  std::size_t depth;
  std::string_view kind, text;
};

// A node says of its place what differs from the place that was written last.
struct Position {
  // FILE:LINE:COLUMN, line:LINE:COLUMN or col:COLUMN.
  void change(std::string_view text) {
    const auto take_number = [&](int &number) {
      const std::size_t colon = text.rfind(':');
      if (colon == text.npos)
        return false;
      number = std::atoi(text.data() + colon + 1);
      text = text.substr(0, colon);
      return true;
    };
    if (take_number(column) && take_number(line) && text != "line")
      file = text;
  }

  // " ADDRESS <BEGIN, END> " and, of a declaration, where its name is. Returns the begin.
  Position read(std::string_view text) {
    const std::size_t open = text.find(" <"), quote = text.find('\'');
    if (text.substr(0, 3) != " 0x" || open == text.npos || quote < open)
      return *this;
    std::size_t close = open + 1;
    for (int depth = 0; close < text.size(); ++close)
      if ((depth += (text[close] == '<') - (text[close] == '>')) == 0)
        break;
    const std::string_view range = text.substr(open + 2, close - open - 2);
    const std::size_t comma = range.find(", ");
    change(range.substr(0, comma));
    const Position begin = *this;
    if (comma != range.npos)
      change(range.substr(comma + 2));
    if (text.substr(close, 3) != "> '") {
      text.remove_prefix(std::min(close + 2, text.size()));
      change(text.substr(0, text.find(' ')));
    }
    return begin;
  }

  std::string file;
  int line = 0, column = 0;
};

struct Read {
  Use use;
  std::string_view address; // of the variable
};

bool is_function(const Node &node) {
  return node.is_one_of({"FunctionDecl", "CXXMethodDecl", "CXXConstructorDecl", "CXXDestructorDecl",
                         "CXXConversionDecl"});
}

// A node whose children may follow.
struct Open {
  Node node;
  std::size_t first_read;      // of a function
  bool is_in_function = false; // or one itself
  bool is_left_out = false;    // is no code, or needs no value
  bool has_pattern = false;    // a template of which the first declaration has been read
  bool is_device = false, is_constexpr = false, is_promoted = false; // its attributes
};

class Reader {
public:
  void read(std::string_view line) {
    const Node node(line);
    const Position here = position_.read(node.text);
    close(node.depth);
    if (open_.empty())
      open_.push_back({node, 0});
    Open &parent = open_.back();
    Open open{node, reads_.size(), parent.is_in_function || is_function(node)};
    const bool is_pattern = parent.node.is_one_of({"FunctionTemplateDecl", "ClassTemplateDecl"}) &&
                            !parent.has_pattern &&
                            (is_function(node) || node.kind == "CXXRecordDecl");
    parent.has_pattern |= is_pattern;
    open.is_left_out =
        parent.is_left_out || is_pattern ||
        node.is_one_of({"ClassTemplatePartialSpecializationDecl", "ConstantExpr",
                        "UnaryExprOrTypeTraitExpr", "StaticAssertDecl"}) ||
        (node.kind == "VarDecl" && parent.is_in_function && holds(node.text, " constexpr"));
    if (node.kind == "CUDAConstantAttr" && holds(node.text, " Implicit"))
      parent.is_promoted = true;
    else if (node.is_one_of({"CUDAConstantAttr", "CUDADeviceAttr", "CUDAGlobalAttr"}))
      parent.is_device = true;
    else if (node.kind == "CUDAHostAttr" && holds(node.text, " Implicit"))
      parent.is_constexpr = true;
    else if (node.kind == "DeclRefExpr" && open.is_in_function && !open.is_left_out &&
             parent.node.kind != "CallExpr") // std::size(array) needs its type only
      if (const std::size_t at = node.text.find(" Var 0x"); at != std::string_view::npos) {
        const std::string_view variable = node.text.substr(at + 5); // ADDRESS 'NAME' 'TYPE'
        const std::string_view name = variable.substr(variable.find('\'') + 1);
        reads_.push_back(
            {{here.file, here.line, here.column, std::string(name.substr(0, name.find('\'')))},
             first_word(variable)});
      }
    open_.push_back(open);
  }

  std::vector<Use> end() {
    close(0);
    std::vector<Use> uses;
    for (const Read &read : in_device_code_)
      if (constants_.count(read.address))
        uses.push_back(read.use);
    return uses;
  }

private:
  // The nodes that are no ancestors of what has this depth.
  void close(std::size_t depth) {
    for (; !open_.empty() && open_.back().node.depth >= depth; open_.pop_back()) {
      const Open &open = open_.back();
      if (is_function(open.node)) {
        // A constexpr function is for both sides, and its value may be known when it is compiled.
        if (open.is_device && !open.is_constexpr)
          in_device_code_.insert(in_device_code_.end(), reads_.begin() + open.first_read,
                                 reads_.end());
        reads_.resize(open.first_read);
      } else if (open.node.kind == "VarDecl" && !open.is_in_function && !open.is_device &&
                 ((holds(open.node.text, "&'") && !holds(open.node.text, "'const ")) ||
                  (open.is_promoted && holds(open.node.text, "]'")))) {
        constants_.insert(first_word(open.node.text.substr(1)));
      }
    }
  }

  static std::string_view first_word(std::string_view text) {
    return text.substr(0, text.find(' '));
  }

  Position position_;
  std::vector<Open> open_;
  std::vector<Read> reads_, in_device_code_; // of the open functions; of device functions
  std::set<std::string_view> constants_;     // addresses
};

} // namespace

std::vector<Use> uses_of_host_constants(std::string output) {
  // In the middle of the tree, since stderr is not buffered: "1 error generated when compiling ..."
  if (const std::size_t at = output.find(" generated when compiling for "); at != output.npos) {
    const std::size_t number = output.rfind(' ', at - 1);
    const std::size_t begin = output.find_last_not_of("0123456789", number - 1) + 1;
    output.erase(begin, output.find('\n', at) + 1 - begin);
  }
  Reader reader;
  const std::string_view tree = output;
  for (std::size_t begin = tree.find("TranslationUnitDecl 0x"), end; begin < tree.size();
       begin = end + 1) {
    end = std::min(tree.find('\n', begin), tree.size());
    reader.read(tree.substr(begin, end - begin));
  }
  return reader.end();
}

} // namespace course_cpu::nvcc
