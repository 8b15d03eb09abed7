import { shanghaiDate } from '#domain/base/calendar.ts';
import { checkUsable, toLicenceFacts, withoutWording, withWording, type FormWording } from '#domain/scoring/licence.ts';
import type { Scale } from '#domain/scoring/scale.ts';
import { codeOf } from '#contract/menu.ts';
import { problems } from '#contract/problem.ts';
import type { ReadContext } from '#server/dispatch/handle.ts';
import * as queries from '#features/form/form.queries.ts';

/** The definition of a form as the caller may read it. */

/** Puts the institution's own item texts into a definition. */
export const applyWording = (definition: unknown, wording: unknown): Scale =>
  wording ? withWording(definition as Scale, wording as FormWording) : (definition as Scale);

/** Finds a form; throws 130001 when there is none. */
export async function requireForm({ scope, caller }: ReadContext<'staff'>, formcode: string) {
  const record = await queries.findForm(scope, caller.musercode, formcode);
  if (!record) throw problems.notFound({ what: '量表' });
  return record;
}

/** The version of every draft. */
export const DRAFT = 'draft';

/** Returns the draft without the institution's uploaded texts: an editor saves what it reads. Only the owner's editors read it. */
async function findDraft({ scope, caller }: ReadContext<'staff'>, { formcode, musercode }: queries.FormRecord): Promise<Scale> {
  const mayRead = musercode === caller.musercode && caller.codes.has(codeOf('form.edit'));
  const row = mayRead ? await queries.findVersion(scope, formcode, DRAFT) : undefined;
  if (!row) throw problems.notFound({ what: '量表草稿' });
  return row.definition as Scale;
}

/** Returns the definition of a version, by default the current one, with the institution's own item texts. */
export async function findScale(
  ctx: ReadContext<'staff'>,
  record: queries.FormRecord,
  version: string | undefined,
): Promise<Scale> {
  if ((version ?? record.currentversion) === DRAFT) return findDraft(ctx, record);
  const row =
    !version || version === record.currentversion ? record : await queries.findVersion(ctx.scope, record.formcode, version);
  if (!row) throw problems.notFound({ what: '量表版本' });
  const scale = applyWording(row.definition, record.wording);
  // The platform's copyrighted forms have no texts. Texts of another institution's form need an own licence.
  const isOpen = record.tier !== 'C' || record.isplatform === 1 || record.musercode === ctx.caller.musercode;
  return isOpen || checkUsable(scale, toLicenceFacts(record, shanghaiDate(ctx.now))).ok ? scale : withoutWording(scale);
}
