import { Button, Group, Modal, Select, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Can } from '#ui/api/Can.tsx';
import { call } from '#ui/api/call.ts';
import { invalidateActions, useActionQuery } from '#ui/api/useAction.ts';
import { notify } from '#ui/feedback/notify.ts';
import { notifyWithUndo } from '#ui/feedback/undo.tsx';
import { canWithdraw } from '#features/warning/cases/useAcceptance.ts';
import { getWarningStaffList } from '#features/warning/duty/duty.contract.ts';
import { acceptWarning, assignWarning, withdrawAcceptance } from '#features/warning/handling/handling.contract.ts';
import type { WarningRow } from '#features/warning/warning.contract.ts';
import classes from '#features/warning/warning.module.css';

/** What became of one row of a bulk operation; `fault` is '' when it was done. */
interface RowResult {
  warningcode: string;
  name: string;
  fault: string;
}

/** Accepts or assigns the selected cases, one after the other, and says what became of each. */
export function BulkCases({ keys, rows, done }: { keys: readonly string[]; rows: readonly WarningRow[]; done: () => void }) {
  const client = useQueryClient();
  const [isAssigning, setIsAssigning] = useState(false);
  const [isBusy, setIsBusy] = useState(false);
  const [report, setReport] = useState<{ verb: string; results: readonly RowResult[] }>();
  const selected = rows.filter(({ warningcode }) => keys.includes(warningcode));

  const run = async (verb: string, step: (row: WarningRow) => Promise<unknown>, succeed: (message: string) => void) => {
    setIsBusy(true);
    const results: RowResult[] = [];
    for (const row of selected) {
      const fault = await step(row).then(
        () => '',
        (error: unknown) => (error instanceof Error ? error.message : '未办理'),
      );
      results.push({ warningcode: row.warningcode, name: row.username, fault });
    }
    setIsBusy(false);
    setIsAssigning(false);
    await invalidateActions(client);
    if (results.every(({ fault }) => fault === '')) {
      succeed(`已${verb} ${results.length} 例`);
      done();
    } else setReport({ verb, results });
  };
  /**
   * Gives the cases back to their former owners. An acceptance does not come back, so a case that had one stays; and so does a case without
   * an owner, because nobody may be left without.
   */
  const offerUndo = (message: string) => {
    const former = selected.flatMap(({ warningcode, owneruserid, pending }) =>
      owneruserid && pending === 1 ? [{ warningcode, owneruserid }] : [],
    );
    if (former.length === 0) return notify.done(message);
    const kept = selected.length - former.length;
    notifyWithUndo(kept ? `${message}；其中 ${kept} 例已受理过或原来没有责任人，不能撤销` : message, async () => {
      for (const target of former) await call(assignWarning, { ...target, content: '撤销分派' });
    });
  };
  const offerWithdrawal = (message: string) => {
    const accepted = selected.filter(canWithdraw);
    if (accepted.length === 0) return notify.done(message);
    const standing = selected.length - accepted.length;
    notifyWithUndo(standing ? `${message}；其中 ${standing} 例的新情况受理后不能撤销` : message, async () => {
      for (const { warningcode, owneruserid } of accepted) await call(withdrawAcceptance, { warningcode, owneruserid });
    });
  };
  const finish = () => {
    setReport(undefined);
    done();
  };
  return (
    <>
      <Can call={acceptWarning}>
        <Button
          size="compact-sm"
          loading={isBusy && !isAssigning}
          onClick={() => void run('受理', ({ warningcode }) => call(acceptWarning, { warningcode }), offerWithdrawal)}
        >
          受理
        </Button>
      </Can>
      <Can call={assignWarning}>
        <Button size="compact-sm" variant="default" disabled={isBusy} onClick={() => setIsAssigning(true)}>
          分派
        </Button>
      </Can>
      {isAssigning && (
        <AssignDialog
          count={selected.length}
          accepted={selected.filter(({ pending }) => pending === 0).length}
          isBusy={isBusy}
          onClose={() => setIsAssigning(false)}
          onAssign={(owneruserid) =>
            void run('分派', ({ warningcode, version }) => call(assignWarning, { warningcode, version, owneruserid }), offerUndo)
          }
        />
      )}
      {report && <ResultDialog {...report} onClose={finish} />}
    </>
  );
}

function AssignDialog({
  count,
  accepted,
  isBusy,
  onClose,
  onAssign,
}: {
  count: number;
  /** how many of them somebody has accepted */
  accepted: number;
  isBusy: boolean;
  onClose: () => void;
  onAssign: (userid: string) => void;
}) {
  const staff = useActionQuery(getWarningStaffList, {});
  const [userid, setUserid] = useState<string | null>(null);
  return (
    <Modal opened onClose={onClose} title={`分派 ${count} 例`} size="sm">
      <Select
        label="责任人"
        required
        placeholder="请选择"
        data={(staff.data ?? []).map((item) => ({
          value: item.userid,
          label: `${item.realname}${item.onduty ? ' · 值班' : ''} · 在办 ${item.opencases}`,
        }))}
        value={userid}
        onChange={setUserid}
      />
      <Text size="sm" c="dimmed" mt="xs">
        新的责任人会收到通知，须重新受理。{accepted > 0 && `其中 ${accepted} 例已受理过，分派后不能撤销。`}
      </Text>
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={onClose}>
          取消
        </Button>
        <Button loading={isBusy} disabled={!userid} onClick={() => userid && onAssign(userid)}>
          分派
        </Button>
      </Group>
    </Modal>
  );
}

function ResultDialog({ verb, results, onClose }: { verb: string; results: readonly RowResult[]; onClose: () => void }) {
  const failed = results.filter(({ fault }) => fault !== '');
  return (
    <Modal opened onClose={onClose} title={`已${verb} ${results.length - failed.length} 例，${failed.length} 例没有办理`}>
      <ul className={classes['list']} aria-label="没有办理的个案">
        {failed.map(({ warningcode, name, fault }) => (
          <li key={warningcode}>
            <strong>{name}</strong>：{fault}
          </li>
        ))}
      </ul>
      <Group justify="flex-end" mt="lg">
        <Button onClick={onClose}>知道了</Button>
      </Group>
    </Modal>
  );
}
