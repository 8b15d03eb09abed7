import { solve, type Constraint } from 'yalps';
import type { Bounds, Fact, MakeReader, Sum, Term } from '#domain/release/facts.ts';

/** The tolerance of the solver. */
const PRECISION = 1e-6;

/** Makes a reader who finds bounds by linear programming. */
export const makeReader: MakeReader = (facts, hidden, count) => {
  const solver = new Solver(facts, hidden, count);
  return (sum) => solver.boundsOf(sum);
};

/** Facts about hidden counts, in components that share no count. So each problem is small. */
class Solver {
  private readonly component = new Map<string, string>();
  private readonly factsOf = new Map<string, Fact[]>();
  private readonly hidden: ReadonlySet<string>;
  private readonly count: (key: string) => number;

  constructor(facts: readonly Fact[], hidden: ReadonlySet<string>, count: (key: string) => number) {
    this.hidden = hidden;
    this.count = count;
    const reduced = facts.map((fact) => this.reduce(fact)).filter(({ terms }) => terms.length > 0);
    for (const { terms } of reduced) for (const [key] of terms) this.join(key, terms[0]?.[0] ?? key);
    for (const fact of reduced) {
      const root = this.rootOf(fact.terms[0]?.[0] ?? '');
      const known = this.factsOf.get(root);
      if (known) known.push(fact);
      else this.factsOf.set(root, [fact]);
    }
  }

  /** The bounds of a sum. Without a limit `max` is Infinity. */
  boundsOf(sum: Sum): Bounds {
    const { terms, min: constant } = this.reduce({ terms: sum, min: 0 });
    if (terms.length === 0) return { min: -constant, max: -constant };
    return { min: this.optimize(terms, 'minimize') - constant, max: this.optimize(terms, 'maximize') - constant };
  }

  /** The fact with its visible counts moved to the other side. */
  private reduce({ terms, min, isEqual = false }: Fact): Fact {
    const visible = terms.filter(([key]) => !this.hidden.has(key));
    return {
      terms: terms.filter(([key]) => this.hidden.has(key)),
      min: min - visible.reduce((sum, [key, factor]) => sum + factor * this.count(key), 0),
      isEqual,
    };
  }

  /** The name of the counts that facts connect with this one. */
  private rootOf(key: string): string {
    let root = key;
    for (let next = this.component.get(root); next !== undefined && next !== root; next = this.component.get(root)) root = next;
    return root;
  }
  private join(a: string, b: string): void {
    const [rootA, rootB] = [this.rootOf(a), this.rootOf(b)];
    if (!this.component.has(rootB)) this.component.set(rootB, rootB);
    this.component.set(rootA, rootB);
  }

  private optimize(terms: Sum, direction: 'minimize' | 'maximize'): number {
    const roots = new Set(terms.map(([key]) => this.rootOf(key)));
    const facts = [...roots].flatMap((root) => this.factsOf.get(root) ?? []);
    const constraints = new Map<string, Constraint>();
    const variables = new Map<string, Map<string, number>>();
    const add = (name: string, [key, factor]: Term) => {
      const variable = variables.get(key) ?? new Map<string, number>();
      variables.set(key, variable.set(name, (variable.get(name) ?? 0) + factor));
    };
    for (const [index, fact] of facts.entries()) {
      constraints.set(`${index}`, fact.isEqual ? { equal: fact.min } : { min: fact.min });
      for (const term of fact.terms) add(`${index}`, term);
    }
    for (const term of terms) add('sum', term);
    const { status, result } = solve({ direction, objective: 'sum', constraints, variables });
    if (status === 'unbounded') return direction === 'minimize' ? -Infinity : Infinity;
    if (status !== 'optimal') throw new Error(`no bounds: ${status}`);
    return direction === 'minimize' ? Math.ceil(result - PRECISION) : Math.floor(result + PRECISION);
  }
}
