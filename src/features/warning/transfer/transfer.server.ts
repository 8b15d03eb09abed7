import { handle } from '#server/dispatch/handle.ts';
import { getTransferTargets as contract } from '#features/warning/transfer/transfer.contract.ts';
import { findTargets } from '#features/warning/transfer/transfer.queries.ts';

const getTransferTargets = handle(contract, async ({ keyword }, { scope }) =>
  (await findTargets(scope, keyword)).map(({ musercode, insname, regionname }) => ({ musercode, insname, regionname })),
);

export const transferHandlers = [getTransferTargets];
