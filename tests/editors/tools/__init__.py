"""What the editors' tests run: real editors, a browser, another language server, all obtained without root.

Nothing is installed on the machine: Debian's packages are unpacked below one folder (`places.CACHE`), npm's are
installed there without their scripts.  `python -m tests.editors.tools` obtains all of it, each part once.
"""
