//! The draft of a session: commands are added, and what is declared and asserted at each level is kept.

use crate::case::{Choices, SessionForm};
use crate::strategy::apart::Material;

/// The commands that forms add after a check.
const COMMANDS: &[(SessionForm, &str)] = &[
    (SessionForm::Models, "(get-model)"),
    (SessionForm::Assignment, "(get-assignment)"),
    (SessionForm::Assumptions, "(get-unsat-assumptions)"),
    (SessionForm::Information, "(get-info :all-statistics)"),
    (SessionForm::Information, "(get-info :reason-unknown)"),
    (SessionForm::Proofs, "(get-proof)"),
];

/// The options that forms need.
const OPTIONS: &[(SessionForm, &str)] = &[
    (SessionForm::Assignment, ":produce-assignments"),
    (SessionForm::Assumptions, ":produce-unsat-assumptions"),
    (SessionForm::Proofs, ":produce-proofs"),
];

/// The assertions of at most so many units are asked for their values.
const MOST_VALUED: usize = 2;
/// Longer formulas are not asked for their values: they stand in the session once more with each question.
const LONGEST_VALUED: usize = 1000;

/// What a session is made of.
pub(super) struct Plan<'m> {
    /// The declarations and assertions of the seed.
    pub own: &'m Material,
    /// Those of another seed, with a logic that holds both.
    pub foreign: Option<(&'m Material, Option<&'m str>)>,
    /// The units of each part that a check may be about.
    pub parts: &'m [Vec<usize>],
    /// The forms that the session has.
    pub forms: Vec<SessionForm>,
}

/// A level of a session.
#[derive(Default)]
struct Level {
    /// The units that are asserted there.
    units: Vec<usize>,
    /// The units that are asserted there behind a guard.
    guarded: Vec<usize>,
    /// What is declared there.
    declared: Vec<Name>,
}

/// Something that a session declares.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Name {
    /// A declaration of the seed.
    Own(usize),
    /// A declaration of the other seed.
    Foreign(usize),
    /// The guard of a unit.
    Guard(usize),
}

/// A session that is being made.
pub(super) struct Draft<'m> {
    plan: Plan<'m>,
    body: String,
    levels: Vec<Level>,
    /// What is declared and outlives its level.
    lasting: Vec<Name>,
    /// The units that get guards.
    guards: Vec<usize>,
    /// The units that may be asserted outside all levels.
    common: Vec<usize>,
    checks: usize,
    /// The checks that are about a part, with its number.
    pub visited: Vec<(usize, usize)>,
    /// How many names of ours there are.
    names: usize,
    /// The forms that the session has come to have.
    used: Vec<SessionForm>,
}

impl<'m> Draft<'m> {
    /// A session that visits some parts in order.
    pub fn new(plan: Plan<'m>, visits: &[usize], choices: &mut Choices) -> Draft<'m> {
        let units = 0..plan.own.units.len();
        let in_all = |unit: &usize| visits.iter().all(|&part| plan.parts[part].contains(unit));
        let common = units.clone().filter(in_all).collect();
        let guarded = [SessionForm::Guards, SessionForm::Assumptions];
        let guards = match guarded.iter().any(|form| plan.forms.contains(form)) {
            true => units.filter(|_| choices.happens(2, 3)).collect(),
            false => Vec::new(),
        };
        let (levels, names) = (vec![Level::default()], 0);
        let (body, lasting, visited, used) = (String::new(), Vec::new(), Vec::new(), Vec::new());
        let mut draft =
            Draft { plan, body, levels, lasting, guards, common, checks: 0, visited, names, used };
        if !draft.declares_late() {
            (0..draft.plan.own.declarations.len()).for_each(|i| draft.declare(Name::Own(i)));
        }
        for (number, &part) in visits.iter().enumerate() {
            draft.before(number, choices);
            draft.visit(part, choices);
        }
        draft
    }

    /// The forms that the session has.
    pub fn forms(&self) -> Vec<SessionForm> {
        let mut forms = self.used.clone();
        forms.sort_unstable();
        forms.dedup();
        forms
    }

    /// Whether the other seed has a part in it.
    pub fn is_mixed(&self) -> bool {
        self.used.contains(&SessionForm::Foreign)
    }

    /// The text of the session.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for option in &self.plan.own.options {
            text.push_str(option);
            text.push('\n');
        }
        if self.declares_for_good() {
            text.push_str("(set-option :global-declarations true)\n");
        }
        for (form, option) in OPTIONS {
            if self.used.contains(form) {
                text.push_str(&format!("(set-option {option} true)\n"));
            }
        }
        let mixed = self.plan.foreign.filter(|_| self.is_mixed());
        if let Some(logic) = mixed.map_or(self.plan.own.logic.as_deref(), |(_, logic)| logic) {
            text.push_str(&format!("(set-logic {logic})\n"));
        }
        text + &self.body
    }

    fn has(&self, form: SessionForm) -> bool {
        self.plan.forms.contains(&form)
    }

    /// Whether declarations outlive their level and `reset-assertions`. z3 keeps them at `reset-assertions` in any case, and
    /// refuses to have them again.
    fn declares_for_good(&self) -> bool {
        self.has(SessionForm::Global) || self.has(SessionForm::Reset)
    }

    fn declares_late(&self) -> bool {
        self.has(SessionForm::Local) || self.has(SessionForm::Global)
    }

    fn add(&mut self, command: &str) {
        self.body.push_str(command);
        self.body.push('\n');
    }

    fn use_form(&mut self, form: SessionForm) {
        self.used.push(form);
    }

    /// Declares something if it is not declared.
    fn declare(&mut self, name: Name) {
        let known = self.lasting.contains(&name) || self.levels.iter().any(|l| l.declared.contains(&name));
        if known {
            return;
        }
        let text = match name {
            Name::Own(i) => self.plan.own.declarations[i].text.clone(),
            Name::Guard(unit) => format!("(declare-const guard!{unit} Bool)"),
            Name::Foreign(i) => {
                let Some((foreign, _)) = self.plan.foreign else { return };
                foreign.declarations[i].text.clone()
            }
        };
        self.add(&text);
        if self.declares_for_good() {
            self.lasting.push(name);
            if self.has(SessionForm::Global) {
                self.use_form(SessionForm::Global);
            }
            return;
        }
        if self.has(SessionForm::Local) && self.levels.len() > 1 {
            self.use_form(SessionForm::Local);
        }
        if let Some(level) = self.levels.last_mut() {
            level.declared.push(name);
        }
    }

    fn push(&mut self) {
        self.add("(push 1)");
        self.levels.push(Level::default());
        self.use_form(SessionForm::Levels);
    }

    fn pop(&mut self, count: usize) {
        if count > 0 {
            self.levels.truncate(self.levels.len() - count);
            self.add(&format!("(pop {count})"));
        }
    }

    /// What comes between the checks: all that changes no later answer.
    fn before(&mut self, number: usize, choices: &mut Choices) {
        if self.has(SessionForm::Foreign) && choices.happens(1, 2) {
            self.visit_foreign(choices);
        }
        if self.has(SessionForm::Unused) && choices.happens(1, 2) {
            self.define_unused(choices);
        }
        if self.has(SessionForm::Options) && number > 0 && choices.happens(1, 2) {
            self.add("(set-option :print-success false)");
            self.use_form(SessionForm::Options);
        }
        if self.has(SessionForm::Reset) && number > 0 && choices.happens(1, 2) {
            self.add("(reset-assertions)");
            self.levels = vec![Level::default()];
            self.use_form(SessionForm::Reset);
        }
        if self.has(SessionForm::Order) && number > 0 && choices.happens(2, 3) && self.levels.len() > 1 {
            self.pop(self.levels.len() - 1);
            self.use_form(SessionForm::Order);
        }
    }

    /// Pushes some assertions of the other seed, checks, and pops them.
    fn visit_foreign(&mut self, choices: &mut Choices) {
        let Some((foreign, _)) = self.plan.foreign else { return };
        self.push();
        self.use_form(SessionForm::Foreign);
        for unit in &foreign.units {
            if !choices.happens(2, 3) {
                continue;
            }
            for assertion in unit.iter().map(|&i| &foreign.assertions[i]) {
                assertion.needs.iter().for_each(|&i| self.declare(Name::Foreign(i)));
                self.add(&format!("(assert {})", assertion.text));
            }
        }
        self.add("(check-sat)");
        self.checks += 1;
        self.pop(1);
    }

    /// Defines a formula that nothing uses.
    fn define_unused(&mut self, choices: &mut Choices) {
        let number = choices.below(self.plan.own.assertions.len() as u64) as usize;
        let own = self.plan.own;
        let assertion = &own.assertions[number];
        assertion.needs.iter().for_each(|&i| self.declare(Name::Own(i)));
        self.add(&format!("(define-fun unused!{} () Bool {})", self.names, assertion.text));
        self.names += 1;
        self.use_form(SessionForm::Unused);
    }

    /// Brings exactly the units of a part into scope, and checks.
    fn visit(&mut self, part: usize, choices: &mut Choices) {
        let wanted = &self.plan.parts[part];
        let is_wrong = |level: &Level| level.units.iter().any(|unit| !wanted.contains(unit));
        if let Some(first) = self.levels.iter().position(is_wrong) {
            self.pop(self.levels.len() - first);
        }
        let mut missing: Vec<usize> = wanted.iter().copied().filter(|&unit| !self.is_there(unit)).collect();
        if self.has(SessionForm::Order) {
            shuffle(&mut missing, choices);
        }
        let spread = self.has(SessionForm::Levels);
        for unit in missing {
            let outside = self.levels.len() == 1;
            let lasts = self.common.contains(&unit) || self.guards.contains(&unit);
            if (outside && !lasts) || (spread && choices.happens(1, 2)) {
                self.push();
            }
            self.assert_unit(unit);
        }
        self.check(part, choices);
    }

    /// Whether a unit is asserted, behind its guard if it has one.
    fn is_there(&self, unit: usize) -> bool {
        self.levels.iter().any(|level| level.units.contains(&unit) || level.guarded.contains(&unit))
    }

    fn assert_unit(&mut self, unit: usize) {
        let own = self.plan.own;
        let is_guarded = self.guards.contains(&unit);
        for assertion in own.units[unit].iter().map(|&i| &own.assertions[i]) {
            assertion.needs.iter().for_each(|&i| self.declare(Name::Own(i)));
            if is_guarded {
                self.declare(Name::Guard(unit));
                self.add(&format!("(assert (=> guard!{unit} {}))", assertion.text));
            } else if self.has(SessionForm::Named) || self.has(SessionForm::Assignment) {
                self.add(&format!("(assert (! {} :named named!{}))", assertion.text, self.names));
                self.names += 1;
                self.use_form(match self.has(SessionForm::Named) {
                    true => SessionForm::Named,
                    false => SessionForm::Assignment,
                });
            } else {
                self.add(&format!("(assert {})", assertion.text));
            }
        }
        if let Some(level) = self.levels.last_mut() {
            if is_guarded { level.guarded.push(unit) } else { level.units.push(unit) }
        }
    }

    /// Checks what is in scope, once or twice.
    fn check(&mut self, part: usize, choices: &mut Choices) {
        let units = &self.plan.parts[part];
        let guards: Vec<String> =
            units.iter().filter(|u| self.guards.contains(u)).map(|u| format!("guard!{u}")).collect();
        let command = match guards.is_empty() {
            true => "(check-sat)".to_owned(),
            false => {
                self.use_form(match self.has(SessionForm::Guards) {
                    true => SessionForm::Guards,
                    false => SessionForm::Assumptions,
                });
                format!("(check-sat-assuming ({}))", guards.join(" "))
            }
        };
        let is_assuming = !guards.is_empty();
        let twice = self.has(SessionForm::Again) && choices.happens(1, 2);
        for _ in 0..=usize::from(twice) {
            self.add(&command);
            self.visited.push((self.checks, part));
            self.checks += 1;
        }
        if twice {
            self.use_form(SessionForm::Again);
        }
        self.ask_outputs(part, is_assuming);
    }

    /// Asks for what the forms ask for after a check. What there is nothing to print for is not sent.
    fn ask_outputs(&mut self, part: usize, is_assuming: bool) {
        if self.has(SessionForm::Values) {
            self.ask_values(part);
        }
        for &(form, command) in COMMANDS {
            let has_sense = form != SessionForm::Assumptions || is_assuming;
            if self.has(form) && has_sense {
                self.add(command);
                self.use_form(form);
            }
        }
    }

    /// Asks for the values of the constants that are declared, and of some assertions in scope.
    fn ask_values(&mut self, part: usize) {
        let own = self.plan.own;
        let declared = self.levels.iter().flat_map(|level| &level.declared).chain(&self.lasting);
        let constant = |name: &Name| match name {
            Name::Own(i) => own.declarations[*i].constant.as_deref(),
            Name::Guard(_) | Name::Foreign(_) => None,
        };
        let constants: Vec<&str> = declared.filter_map(constant).collect();
        if !constants.is_empty() {
            let command = format!("(get-value ({}))", constants.join(" "));
            self.add(&command);
            self.use_form(SessionForm::Values);
        }
        let units = self.plan.parts[part].iter().take(MOST_VALUED);
        let asserted = units.flat_map(|&unit| &own.units[unit]);
        let formulas = asserted.map(|&i| own.assertions[i].text.as_str());
        let formulas: Vec<&str> = formulas.filter(|text| text.len() <= LONGEST_VALUED).collect();
        if !formulas.is_empty() {
            let command = format!("(get-value ({}))", formulas.join(" "));
            self.add(&command);
            self.use_form(SessionForm::Values);
        }
    }
}

fn shuffle(items: &mut [usize], choices: &mut Choices) {
    for i in (1..items.len()).rev() {
        items.swap(i, choices.below(i as u64 + 1) as usize);
    }
}
