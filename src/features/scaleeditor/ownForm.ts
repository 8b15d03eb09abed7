import { shanghaiTime } from '#domain/base/calendar.ts';
import type { Scale } from '#domain/scoring/scale.ts';
import { problems } from '#contract/problem.ts';
import type { Context, ReadContext } from '#server/dispatch/handle.ts';
import type { Scope } from '#server/db/scope.ts';
import * as queries from '#features/scaleeditor/scaleeditor.queries.ts';

/** Returns a form that the caller may see, or refuses (130001). */
export async function requireForm({ scope }: Pick<ReadContext<'staff'>, 'scope'>, formcode: string) {
  const form = await queries.findForm(scope, formcode);
  if (!form) throw problems.notFound({ what: '量表' });
  return form;
}

/** Locks a form for a change, or refuses: only the owner's institution writes a form (110004). */
export async function lockOwnForm(ctx: Context<'staff'>, formcode: string): Promise<queries.OwnForm> {
  const { musercode } = await requireForm(ctx, formcode);
  if (musercode !== ctx.caller.musercode) throw problems.notAllowed();
  const own = await queries.lockForm(ctx.scope, formcode, musercode);
  if (!own) throw problems.notFound({ what: '量表' });
  return own;
}

/** Returns the refusal of a save after somebody else's save (140002); `data.current` is the draft as it is now. */
export async function createDraftConflict(scope: Scope, formcode: string) {
  const draft = await queries.findVersion(scope, formcode, queries.DRAFT);
  if (!draft) return problems.wrongState({ why: '草稿已被发布或删除，请重新打开量表' });
  const time = shanghaiTime(draft.updatetime ?? new Date(0));
  const name = draft.realname ?? draft.updateby ?? '';
  const current = { rowversion: draft.rowversion, definition: draft.definition as Scale, updatetime: time, name };
  return problems.changedMeanwhile({ name, time: time.slice(0, 16), titles: '草稿' }, { data: { current } });
}
