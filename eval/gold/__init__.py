"""Gold answers, computed from raw files alone; nothing here knows the product or its store.

`github_files` and `git_repos` read, `world` joins, `facts` holds the definitions: what a review, a
closing reference, an open pull request on a day or a first release is. Read `facts` to see exactly
what a question means.
"""
