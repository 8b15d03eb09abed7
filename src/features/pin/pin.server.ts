import { WarningState } from '#domain/base/enums.ts';
import { levelName } from '#domain/warning/levels.ts';
import { isPermitted, type Action } from '#contract/action.ts';
import { archivePathOf } from '#contract/population.ts';
import { problems } from '#contract/problem.ts';
import type { Staff } from '#server/dispatch/caller.ts';
import { handle } from '#server/dispatch/handle.ts';
import { displayName } from '#server/security/privacy.ts';
import { getCUserArchivePageList } from '#features/archive/archive.contract.ts';
import * as contract from '#features/pin/pin.contract.ts';
import type { Pinned, PinKind } from '#features/pin/pin.contract.ts';
import * as queries from '#features/pin/pin.queries.ts';
import { getAssessTaskProgress } from '#features/task/board/board.contract.ts';
import { getAssessTeamPageList } from '#features/team/team.contract.ts';
import { getWarningPageList } from '#features/warning/warning.contract.ts';

/** The list that shows the things of a kind: who may read it may pin them. */
const LISTS: Readonly<Record<PinKind, Action>> = {
  case: getWarningPageList,
  person: getCUserArchivePageList,
  task: getAssessTaskProgress,
  team: getAssessTeamPageList,
};
const mayRead = ({ codes, musertype }: Staff, kind: PinKind): boolean => isPermitted(LISTS[kind].allow, codes, musertype);

function toPinned(caller: Staff, { kind, refcode, name, appid, level, state, sector, note }: queries.PinRow): Pinned {
  switch (kind) {
    case 'case':
      return {
        kind,
        refcode,
        title: displayName(caller, name),
        note: `${levelName(level as 1, sector as 'edu')} · ${WarningState.label(state as '01')}`,
        path: `/earlyWarning/case/${refcode}`,
      };
    case 'person':
      return { kind, refcode, title: displayName(caller, name), note: note ?? '', path: archivePathOf(appid ?? '', refcode) };
    case 'task':
      return { kind, refcode, title: name, note: note ? `至 ${note}` : '', path: `/task/administration/${refcode}` };
    case 'team':
      return { kind, refcode, title: name, note: note ?? '', path: `/task/team/${refcode}` };
  }
}

const getPins = handle(contract.getPins, async (_, { scope, caller }) => {
  const rows = await queries.findPins(scope, caller);
  return { pins: rows.filter(({ kind }) => mayRead(caller, kind)).map((row) => toPinned(caller, row)) };
});

const setPin = handle(contract.setPin, async ({ kind, refcode, ispinned }, { scope, caller, now }) => {
  if (!ispinned) {
    await queries.removePin(scope, caller, kind, refcode);
    return {};
  }
  if (!mayRead(caller, kind) || !(await queries.isSeen(scope, kind, refcode))) throw problems.notFound({ what: '要固定的内容' });
  if ((await queries.countPins(scope, caller)) >= contract.MOST_PINS)
    throw problems.wrongState({ why: `最多固定 ${contract.MOST_PINS} 项，请先取消不用的` });
  await queries.addPin(scope, caller, kind, refcode, now);
  return {};
});

/** The handlers of 固定. */
export const pinHandlers = [getPins, setPin];
