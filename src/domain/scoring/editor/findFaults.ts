import { findBandFaults } from '#domain/scoring/editor/bandFaults.ts';
import type { Fault } from '#domain/scoring/editor/fault.ts';
import { findFormFaults, type CheckContext } from '#domain/scoring/editor/formFaults.ts';
import { findItemFaults } from '#domain/scoring/editor/itemFaults.ts';
import { findNotices } from '#domain/scoring/editor/notices.ts';
import { findRuleFaults } from '#domain/scoring/editor/ruleFaults.ts';
import { findScoreFaults } from '#domain/scoring/editor/scoreFaults.ts';
import type { Scale } from '#domain/scoring/scale.ts';

/** Everything that is wrong with a definition, finished or not. Errors stop publishing; an author ticks the notices. */
export function findFaults(scale: Scale, context: CheckContext = {}): Fault[] {
  const faults = [
    ...findFormFaults(scale, context),
    ...findItemFaults(scale),
    ...findScoreFaults(scale),
    ...findBandFaults(scale),
    ...findRuleFaults(scale),
    ...findNotices(scale),
  ];
  return faults.sort((a, b) => Number(a.kind === 'notice') - Number(b.kind === 'notice'));
}
