"""Question templates: each finds what can be asked of any organisation, with the gold answer.

A template is a function from a world to candidates, named `category.template` in the one table `ALL`;
its wordings stand in `phrasings.yaml` under that name. No template knows an organisation.
"""

from eval.templates import aggregation, cross, expertise, impact, lookup, trace
from eval.templates.candidate import Template

ALL: dict[str, Template] = {
    **lookup.TEMPLATES, **expertise.TEMPLATES, **trace.TEMPLATES,
    **cross.TEMPLATES, **impact.TEMPLATES, **aggregation.TEMPLATES,
}
CATEGORIES = ("lookup", "expertise", "trace", "cross-repository", "impact", "aggregation")
