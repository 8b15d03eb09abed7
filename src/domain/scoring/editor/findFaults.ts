import { findBandFaults } from '#domain/scoring/editor/checks/bandFaults.ts';
import type { Fault } from '#domain/scoring/editor/fault.ts';
import { findFormFaults, type CheckContext } from '#domain/scoring/editor/checks/formFaults.ts';
import { findItemFaults } from '#domain/scoring/editor/checks/itemFaults.ts';
import { findNotices } from '#domain/scoring/editor/checks/notices.ts';
import { findRuleFaults } from '#domain/scoring/editor/checks/ruleFaults.ts';
import { findScoreFaults } from '#domain/scoring/editor/checks/scoreFaults.ts';
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
