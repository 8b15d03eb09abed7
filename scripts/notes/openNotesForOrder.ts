import type pg from 'pg';
import type { FieldCipher } from '#server/security/fieldCipher.ts';
import { addAsOwner } from '#server/audit/addAsOwner.ts';
import { openText } from '#features/consult/consultSeal.ts';

/** A legal order to hand out the private note of a consultation, and the two people who carry it out. */
export interface NoteOrder {
  consultid: number;
  /** the number of the order */
  order: string;
  operator: string;
  witness: string;
}

/**
 * Returns the private notes of a consultation for a legal order, with the writer's name above each. It runs outside of the server, as the
 * owner of the database in a transaction with a session of the platform (docs/operations.md). The audit row is in the same transaction.
 * Throws RangeError for one person instead of two, and when there is no note.
 */
export async function openNotesForOrder(
  client: pg.ClientBase,
  cipher: FieldCipher,
  { consultid, order, operator, witness }: NoteOrder,
): Promise<string[]> {
  if (operator.trim() === witness.trim()) throw new RangeError('two different people carry out an order');
  const { rows } = await client.query<{ musercode: string; cuserid: string; realname: string; note: string }>(
    `select n.musercode, n.cuserid, u.realname, n.note from consultnote n join sysuser u on u.userid = n.userid
     where n.consultid = $1 order by n.noteid`,
    [consultid],
  );
  const [first] = rows;
  if (!first) throw new RangeError(`consultation ${consultid} has no private note`);
  await addAsOwner(client, cipher, {
    musercode: first.musercode,
    action: 'console.openConsultNote',
    title: '依法调取个别咨询记录',
    kind: 'reveal',
    cuserids: [first.cuserid],
    minors: 0,
    objectid: String(consultid),
    detail: { order, operator, witness },
  });
  return rows.map(({ musercode, realname, note }) => `【${realname}】\n${openText(cipher, musercode, 'consultnote.note', note)}`);
}
