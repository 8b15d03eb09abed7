import * as approval from '#features/approval/approval.contract.ts';
import type { Person } from '#testing/people.ts';
import type { TestServer } from '#testing/server.ts';

/** One person applies for an export, and 陆 agrees to it. Returns the number of the approval. */
export async function approveExport(
  { as }: Pick<TestServer, 'as'>,
  call: approval.GatedCall,
  filter: Record<string, unknown>,
  applicant: Person = 'chen',
): Promise<number> {
  const { approvalid } = await as(applicant)(approval.insertAccessApproval, { call, filter, purpose: '与班级名册核对' });
  await as('lu')(approval.decideAccessApproval, { approvalid, agreed: 1 });
  return approvalid;
}
