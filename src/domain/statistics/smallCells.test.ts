import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hideSmallCells, isSmallCell, type Cell, type Line } from '#domain/statistics/smallCells.ts';

const cell = (key: string, count: number, of: number | null): Cell => ({ key, count, of });
const line = (parent: string, ...children: string[]): Line => ({ parent, children });
const hide = (cells: Cell[], lines: Line[]) => [...hideSmallCells(cells, lines)].sort();

/** A school with grades and classes; every parent is the sum of its children. */
const school = fc
  .array(
    fc.array(fc.record({ of: fc.integer({ min: 0, max: 45 }), share: fc.float({ min: 0, max: 1, noNaN: true }) }), {
      maxLength: 5,
    }),
    {
      minLength: 1,
      maxLength: 5,
    },
  )
  .map((grades) => {
    const cells: Cell[] = [];
    const lines: Line[] = [];
    const sum = (parts: Cell[], key: string) => {
      const total = cell(
        key,
        parts.reduce((all, { count }) => all + count, 0),
        parts.reduce((all, { of }) => all + (of ?? 0), 0),
      );
      cells.push(total);
      lines.push(line(key, ...parts.map((part) => part.key)));
      return total;
    };
    const parents = grades.map((classes, grade) => {
      const children = classes.map(({ of, share }, at) => cell(`g${grade}c${at}`, Math.round(of * share), of));
      cells.push(...children);
      return sum(children, `g${grade}`);
    });
    sum(parents, 'school');
    return { cells, lines: lines.reverse() };
  });

describe('small groups', () => {
  it('are hidden when the group, the count or its rest has fewer than 5 persons, or everybody counts', () => {
    expect([0, 1, 4, 5].map((count) => isSmallCell({ count, of: null }))).toEqual([false, true, true, false]);
    expect([0, 4, 5, 15, 16, 20].map((count) => isSmallCell({ count, of: 20 }))).toEqual([false, true, false, false, true, true]);
    expect(isSmallCell({ count: 0, of: 4 })).toBe(true);
    expect(isSmallCell({ count: 0, of: 0 })).toBe(false);
  });

  it('take the smallest visible group with them, so that the total does not give them away', () => {
    const cells = [cell('all', 40, 200), cell('a', 2, 50), cell('b', 12, 50), cell('c', 13, 50), cell('d', 13, 50)];
    expect(hide(cells, [line('all', 'a', 'b', 'c', 'd')])).toEqual(['a', 'b']);
  });

  it('hide the total when no other group is left to hide', () => {
    expect(hide([cell('all', 4, 9), cell('m', 2, 5), cell('f', 2, 4)], [line('all', 'm', 'f')])).toEqual(['all', 'f', 'm']);
  });

  it('go together when the report shows the total elsewhere, even where the total is small', () => {
    const cells = [cell('all', 4, 40), cell('a', 4, 20), cell('b', 0, 20)];
    expect([...hideSmallCells(cells, [line('all', 'a', 'b')], { shown: ['all'] })].sort()).toEqual(['a', 'b']);
  });

  it('leave large groups alone', () => {
    expect(hide([cell('all', 30, 100), cell('m', 10, 50), cell('f', 20, 50)], [line('all', 'm', 'f')])).toEqual([]);
  });

  it('never stay visible', () => {
    fc.assert(
      fc.property(school, ({ cells, lines }) => {
        const hidden = hideSmallCells(cells, lines);
        for (const one of cells) if (isSmallCell(one)) expect(hidden).toContain(one.key);
      }),
    );
  });

  it('cannot be computed back from what is shown in their line', () => {
    fc.assert(
      fc.property(school, ({ cells, lines }) => {
        const hidden = hideSmallCells(cells, lines);
        const byKey = new Map(cells.map((one) => [one.key, one]));
        for (const { parent, children } of lines) {
          const unknown = [parent, ...children].filter((key) => hidden.has(key));
          // One unknown of a line is the difference of the others; two or more have several solutions.
          expect(unknown.length).not.toBe(1);
          if (hidden.has(parent) || unknown.length === 0) continue;
          const parts = unknown.map((key) => byKey.get(key) as Cell);
          expect(parts.reduce((sum, { count }) => sum + count, 0)).toBeGreaterThanOrEqual(5);
          expect(parts.reduce((sum, { count, of }) => sum + (of ?? 0) - count, 0)).toBeGreaterThanOrEqual(5);
        }
      }),
      { numRuns: 2000 },
    );
  });

  it('are hidden in the same way however the groups are ordered', () => {
    fc.assert(
      fc.property(school, ({ cells, lines }) => {
        const reversed = lines.map(({ parent, children }) => ({ parent, children: [...children].reverse() }));
        expect(hide(cells, lines)).toEqual(hide([...cells].reverse(), reversed));
      }),
    );
  });
});
