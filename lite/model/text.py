"""A Program as readable text, and back: ``parse_program(print_program(p)) == p``.

One operator a line, slots by name, every attribute with its type word::

    program version 2006002
    block 0 parent -1 {
      Out: [y], XShape: [y_shape] = reshape2(X: [x]) {shape: ints [1, -1], name: string "a b"}
      print(In: [y])
      var x: lod_tensor fp32[-1,3,224,224] lod 1 persistable feed_check
    }
    param w: fp32[13,1]
    op_version conv2d: 1

An operator without outputs has no ``=``; one with ``is_target`` starts with ``target``. A name of
letters, digits and ``_ . @ % / + - :`` stands bare, any other is a JSON string (a slot, attribute
or operator name with ``:`` too). ``#`` starts a comment. Inside brackets a line may break.
Values of parameters are not in the text, only their names, dtypes and shapes.
"""

from lite.model.text_parser import parse_op, parse_program
from lite.model.text_printer import print_attr, print_op, print_program, print_var

__all__ = ["parse_op", "parse_program", "print_attr", "print_op", "print_program", "print_var"]
