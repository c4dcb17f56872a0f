"""The commands, a file a verb: words in, calls out.

No command imports anything heavy before it runs, so that help is instant.
"""
