"""Question templates: each finds what can be asked of any organisation, with the gold answer.

A template is a function from a world to candidates, named `category.template` in the one table `ALL`;
its wordings stand in `phrasings.yaml` under that name. No template knows an organisation.
"""

from eval.templates import aggregation, company_knowledge, company_people, company_structure, cross, expertise, impact, lookup, trace
from eval.templates.candidate import CompanyTemplate, Template

ALL: dict[str, Template] = {
    **lookup.TEMPLATES,
    **expertise.TEMPLATES,
    **trace.TEMPLATES,
    **cross.TEMPLATES,
    **impact.TEMPLATES,
    **aggregation.TEMPLATES,
}
CATEGORIES = ("lookup", "expertise", "trace", "cross-repository", "impact", "aggregation")

COMPANY: dict[str, CompanyTemplate] = {**company_people.TEMPLATES, **company_structure.TEMPLATES, **company_knowledge.TEMPLATES}
COMPANY_CATEGORIES = (
    "ownership",
    "dependency",
    "decision",
    "rule in force",
    "rule on a date",
    "premise",
    "conflicts",
    "tickets",
    "cross-source",
    "unanswerable",
)
