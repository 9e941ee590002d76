"""What real Paddle Lite computes wrongly or cannot, as equal operators that it computes rightly.

Only programs that go into a file are rewritten. What was found about real Paddle Lite is measured
with its wheels 2.13 and 2.14; ``limits.py`` names what no other operators say.
"""
