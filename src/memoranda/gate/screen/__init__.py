"""Screens: what must not be kept. The built-in ones, and the plug-in point for others (`ports.Screen`)."""
