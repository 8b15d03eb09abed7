import { problems } from '#contract/problem.ts';
import { findEntry, type EntryState } from '#features/respond/entry/entry.queries.ts';

/** Why a known entry takes no respondents, without blame: the reader is often a child. */
const REASONS: Readonly<Record<Exclude<EntryState, 'open'>, (insname: string) => string>> = {
  lapsed: (insname) => `${insname}的测评服务已经到期，现在不能作答`,
  disabled: (insname) => `${insname}的测评服务已经停用，现在不能作答`,
  closed: (insname) => `${insname}的测评入口现在没有开放`,
};

/** The open entry of a link. Answers 130001 for an unknown link, and 140001 with the reason for one that is not open. */
export async function requireEntry(authn: Parameters<typeof findEntry>[0], clientcode: string) {
  const entry = await findEntry(authn, clientcode);
  if (!entry) throw problems.notFound({ what: '该作答入口' });
  if (entry.state !== 'open')
    throw problems.wrongState({
      why: `${REASONS[entry.state](entry.insname)}。以前提交的答卷都还在，不受影响。如有疑问，请联系发二维码的老师或工作人员。`,
    });
  return entry;
}
