"""What a message passes before it is recorded, in this order: clean, flood, links, language.

Each step is a function that changes the text or refuses it. Later steps (suspensions, shouting, scores) are
further modules here and further lines in `services/chat/say.py`.
"""
