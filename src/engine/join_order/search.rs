//! Which order of joins is cheapest: pure arithmetic over sizes, with relations as the bits of a set.
//!
//! The size of a set of joined relations does not depend on the order in which they are joined. An order costs the rows
//! that its joins hand on, and those that their hash tables take.

/// A set of relations: bit `n` stands for relation `n`.
pub(super) type Set = u32;

/// Beyond so many relations, the search takes the best pair at each step. All ways to part all sets of `n` relations are
/// `3^n`: 59,049 for ten, and three times as many for each one more, in every call whose plan is not kept.
const EXHAUSTIVE: usize = 10;

/// Columns that are all equal where they are joined.
#[derive(Debug, Clone)]
pub(super) struct Class {
    /// The relations that have such a column.
    pub(super) members: Set,
    /// How many distinct values there are.
    pub(super) distinct: f64,
}

/// A condition that is not an equality of two columns.
#[derive(Debug, Clone)]
pub(super) struct Condition {
    /// The relations that it speaks of.
    pub(super) relations: Set,
    /// For an equality, the relations of its sides, so that it is one that can be looked up.
    pub(super) sides: Option<(Set, Set)>,
    /// The share of the pairs that it keeps.
    pub(super) selectivity: f64,
}

/// A key of several columns: whoever has all of them finds one row by it, however few values each column has.
#[derive(Debug, Clone)]
pub(super) struct CompositeKey {
    /// The relation that it is the key of.
    pub(super) owner: Set,
    /// The other relations that have columns equal to all of its columns.
    pub(super) referring: Set,
    /// How many times more rows match than if the columns had nothing to do with each other.
    pub(super) gain: f64,
}

/// What there is to join.
#[derive(Debug, Clone, Default)]
pub(super) struct Graph {
    /// The rows of every relation.
    pub(super) rows: Vec<f64>,
    pub(super) classes: Vec<Class>,
    pub(super) conditions: Vec<Condition>,
    pub(super) keys: Vec<CompositeKey>,
}

/// An order of joins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Tree {
    /// A relation, by its place.
    Relation(usize),
    /// A join; the left side is the smaller one.
    Join(Box<Tree>, Box<Tree>),
}

/// An order with its cost.
#[derive(Debug, Clone)]
pub(super) struct Order {
    pub(super) tree: Tree,
    pub(super) set: Set,
    /// Rows handed on and kept in hash tables.
    pub(super) cost: f64,
    /// Rows of the result.
    rows: f64,
}

/// How a plan is found again for the parts of a set that were joined already.
type Table = Vec<Option<(f64, Set)>>;

impl Graph {
    /// The cheapest order that is found; `None` where there is nothing to join.
    pub(super) fn best(&self) -> Option<Order> {
        let parts: Vec<Order> = self
            .components()
            .into_iter()
            .map(|component| {
                let few = component.count_ones() as usize <= EXHAUSTIVE;
                if few { self.exhaustive(component) } else { self.greedy(self.singles(component)) }
            })
            .collect::<Option<_>>()?;
        // What nothing connects is multiplied at the end, the smallest first.
        self.greedy(parts)
    }

    /// The cost of an order as it is written.
    pub(super) fn cost(&self, tree: &Tree) -> Order {
        match tree {
            Tree::Relation(at) => self.single(*at),
            Tree::Join(left, right) => self.join(&self.cost(left), &self.cost(right)),
        }
    }

    /// How many rows the join of a set has.
    pub(super) fn size(&self, set: Set) -> f64 {
        let rows: f64 = members(set).filter_map(|at| self.rows.get(at)).product();
        let classes: f64 = self.classes.iter().map(|class| kept(class, set)).product();
        let conditions = self.conditions.iter().filter(|condition| is_within(condition.relations, set));
        let conditions: f64 = conditions.map(|condition| condition.selectivity).product();
        let keys = self.keys.iter().filter(|key| is_within(key.owner, set) && key.referring & set != 0);
        let keys: f64 = keys.map(|key| key.gain).product();
        (rows * classes * conditions * keys).max(1.0)
    }

    fn single(&self, at: usize) -> Order {
        let set = 1 << at;
        Order { tree: Tree::Relation(at), set, cost: 0.0, rows: self.size(set) }
    }

    fn singles(&self, set: Set) -> Vec<Order> {
        members(set).map(|at| self.single(at)).collect()
    }

    fn join(&self, one: &Order, other: &Order) -> Order {
        // The engine fills the hash table from the left side, and swaps the sides only where it has statistics.
        let (build, probe) = if other.rows < one.rows { (other, one) } else { (one, other) };
        let set = one.set | other.set;
        let rows = self.size(set);
        let tree = Tree::Join(Box::new(build.tree.clone()), Box::new(probe.tree.clone()));
        Order { tree, set, cost: one.cost + other.cost + build.rows + rows, rows }
    }

    /// Whether an equality leads from one set to the other.
    fn connects(&self, one: Set, other: Set) -> bool {
        let by_class = |class: &Class| class.members & one != 0 && class.members & other != 0;
        self.classes.iter().any(by_class) || self.conditions.iter().any(|condition| condition.joins(one, other))
    }

    /// The sets that equalities connect.
    fn components(&self) -> Vec<Set> {
        let mut components: Vec<Set> = (0..self.rows.len()).map(|at| 1 << at).collect();
        loop {
            let connected = components.iter().enumerate().find_map(|(at, one)| {
                let other = components.iter().skip(at + 1).find(|other| self.connects(*one, **other))?;
                Some((*one, *other))
            });
            let Some((one, other)) = connected else { return components };
            components.retain(|set| *set != one && *set != other);
            components.push(one | other);
        }
    }

    /// The cheapest order of a set that is connected, of all that need no cross product.
    fn exhaustive(&self, set: Set) -> Option<Order> {
        let places: Vec<usize> = members(set).collect();
        let count = places.len();
        let global = |local: Set| -> Set {
            members(local).filter_map(|at| places.get(at)).fold(0, |set: Set, at| set | 1 << at)
        };
        // A set has one size however it was joined, so each is worked out once and not once for each way to part it.
        let sizes: Vec<f64> = (0..1_u32 << count).map(|local| self.size(global(local))).collect();
        let size = |local: Set| sizes.get(local as usize).copied().unwrap_or(f64::INFINITY);
        let mut table: Table = vec![None; 1 << count];
        // The bits of a part are a smaller number than those of the set, so parts are known before what they make.
        for local in 1..1_u32 << count {
            let mut best: Option<(f64, Set)> = (local.count_ones() == 1).then_some((0.0, 0));
            // Walks through all subsets: one less, and the bits that the set does not have are dropped.
            let mut part = local.wrapping_sub(1) & local;
            while part > 0 {
                let rest = local ^ part;
                let costs =
                    table.get(part as usize).copied().flatten().zip(table.get(rest as usize).copied().flatten());
                // Either half comes up twice.
                if part < rest
                    && let Some(((one, _), (other, _))) = costs
                {
                    let cost = one + other + size(part).min(size(rest)) + size(local);
                    let is_better = best.is_none_or(|(best, _)| cost < best);
                    if is_better && self.connects(global(part), global(rest)) {
                        best = Some((cost, part));
                    }
                }
                part = part.wrapping_sub(1) & local;
            }
            if let Some(entry) = table.get_mut(local as usize) {
                *entry = best;
            }
        }
        self.read(&table, &places, ((1_u64 << count) - 1) as Set)
    }

    /// The order that the table holds for a set.
    fn read(&self, table: &Table, places: &[usize], local: Set) -> Option<Order> {
        let (_, part) = table.get(local as usize).copied().flatten()?;
        if part == 0 {
            return Some(self.single(*places.get(local.trailing_zeros() as usize)?));
        }
        Some(self.join(&self.read(table, places, part)?, &self.read(table, places, local ^ part)?))
    }

    /// Joins the two parts of the smallest result, until one is left. Cross products come last.
    fn greedy(&self, mut parts: Vec<Order>) -> Option<Order> {
        loop {
            let pairs = parts.iter().enumerate().flat_map(|(at, one)| {
                let others = parts.iter().skip(at + 1);
                others.map(move |other| (!self.connects(one.set, other.set), self.join(one, other)))
            });
            // By rows before cost: whatever comes later is paid for each of the rows that are handed on.
            let best = pairs.min_by(|(crosses, one), (also, other)| {
                crosses.cmp(also).then(one.rows.total_cmp(&other.rows)).then(one.cost.total_cmp(&other.cost))
            });
            let Some((_, joined)) = best else { return parts.pop() };
            parts.retain(|part| part.set & joined.set == 0);
            parts.push(joined);
        }
    }
}

impl Condition {
    /// Whether it is an equality with one side in each set.
    pub(super) fn joins(&self, one: Set, other: Set) -> bool {
        self.sides.is_some_and(|(left, right)| {
            is_within(left, one) && is_within(right, other) || is_within(left, other) && is_within(right, one)
        })
    }
}

/// Whether all members of a set are in another.
pub(super) fn is_within(part: Set, set: Set) -> bool {
    part & !set == 0
}

/// The places of a set's relations.
fn members(set: Set) -> impl Iterator<Item = usize> {
    (0..Set::BITS as usize).filter(move |at| set & (1 << at) != 0)
}

/// The share of rows that a class keeps within a set.
fn kept(class: &Class, set: Set) -> f64 {
    // Of n columns that are equal, n - 1 are told by the first.
    let equalities = (class.members & set).count_ones().saturating_sub(1);
    class.distinct.max(1.0).powi(-i32::try_from(equalities).unwrap_or(i32::MAX))
}
