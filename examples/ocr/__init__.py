"""Reads text from pictures with PP-OCRv4: ``python -m examples.ocr``.

Three models in a row: ``detect`` finds the lines of text, ``classify`` turns those that stand
upside down, ``recognize`` reads them. The models come from PyPI and are converted to ``.nb`` files
first.
"""
