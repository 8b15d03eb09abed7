import { Button, Group, Modal, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { shanghaiDate } from '#domain/base/calendar.ts';
import { Can } from '#ui/api/Can.tsx';
import { call } from '#ui/api/call.ts';
import { invalidateActions } from '#ui/api/useAction.ts';
import { MomentField } from '#ui/dates/dateFields.tsx';
import { notify } from '#ui/feedback/notify.ts';
import { updateFollowUp, type FollowUpRow } from '#features/care/care.contract.ts';
import { OwnerField } from '#features/care/screen/OwnerField.tsx';

interface RowResult {
  followupid: number;
  name: string;
  fault: string;
}

/** Moves the selected waiting follow-ups or gives them to a colleague, one after the other, and says what became of each. */
export function BulkFollowUps({ keys, rows, done }: { keys: readonly string[]; rows: readonly FollowUpRow[]; done: () => void }) {
  const client = useQueryClient();
  const [dialog, setDialog] = useState<'move' | 'owner'>();
  const [value, setValue] = useState<string>();
  const [isBusy, setIsBusy] = useState(false);
  const [failed, setFailed] = useState<{ total: number; faults: readonly RowResult[] }>();
  const selected = rows.filter(({ followupid }) => keys.includes(String(followupid)));
  const isMove = dialog === 'move';
  const run = async () => {
    if (!value) return;
    setIsBusy(true);
    const results: RowResult[] = [];
    for (const { followupid, version, username } of selected) {
      const fault = await call(updateFollowUp, {
        followupid,
        version,
        ...(isMove ? { duetime: value } : { owneruserid: value }),
      }).then(
        () => '',
        (error: unknown) => (error instanceof Error ? error.message : '未办理'),
      );
      results.push({ followupid, name: username, fault });
    }
    setIsBusy(false);
    setDialog(undefined);
    setValue(undefined);
    await invalidateActions(client);
    const faults = results.filter(({ fault }) => fault !== '');
    if (faults.length > 0) return setFailed({ total: results.length, faults });
    notify.done(isMove ? `已改期 ${results.length} 项` : `已更换 ${results.length} 项的责任人`);
    done();
  };
  const finish = () => {
    setFailed(undefined);
    done();
  };
  return (
    <>
      <Can call={updateFollowUp}>
        <Button size="compact-sm" onClick={() => setDialog('move')}>
          改期
        </Button>
        <Button size="compact-sm" variant="default" onClick={() => setDialog('owner')}>
          更换责任人
        </Button>
      </Can>
      {dialog && (
        <Modal
          opened
          onClose={() => setDialog(undefined)}
          title={isMove ? `改期 ${selected.length} 项随访` : `更换 ${selected.length} 项随访的责任人`}
          size="sm"
        >
          {isMove ? (
            <MomentField
              label="新的随访时间"
              required
              value={value}
              min={shanghaiDate(new Date())}
              onChange={setValue as never}
            />
          ) : (
            <OwnerField label="责任人" required value={value} placeholder="请选择" onChange={setValue as never} />
          )}
          <Text size="sm" c="dimmed" mt="xs">
            {isMove ? '所选随访都改到这个时间；已登记的不会改动。' : '新的责任人会收到通知；已登记的不会改动。'}
          </Text>
          <Group justify="flex-end" mt="lg">
            <Button variant="default" onClick={() => setDialog(undefined)}>
              取消
            </Button>
            <Button loading={isBusy} disabled={!value} onClick={() => void run()}>
              确定
            </Button>
          </Group>
        </Modal>
      )}
      {failed && (
        <Modal
          opened
          onClose={finish}
          title={`${failed.total - failed.faults.length} 项已办理，${failed.faults.length} 项没有办理`}
        >
          <ul aria-label="没有办理的随访">
            {failed.faults.map(({ followupid, name, fault }) => (
              <li key={followupid}>
                <strong>{name}</strong>：{fault}
              </li>
            ))}
          </ul>
          <Group justify="flex-end" mt="lg">
            <Button onClick={finish}>知道了</Button>
          </Group>
        </Modal>
      )}
    </>
  );
}
