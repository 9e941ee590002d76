"""`.nb` files: the one door between compile time and run time."""

from lite.model.naive_buffer.program_writer import program_bytes
from lite.model.naive_buffer.reader import read_nb
from lite.model.naive_buffer.writer import write_nb, write_nb_file

__all__ = ["program_bytes", "read_nb", "write_nb", "write_nb_file"]
