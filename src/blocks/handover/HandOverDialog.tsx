import { Button, Group, List, Modal, Stack, Switch, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { gravePhrase } from '#domain/warning/levels.ts';
import { useUser } from '#ui/api/session.ts';
import { Loaded, Skeletons } from '#ui/feedback/states.tsx';
import { useActionMutation } from '#ui/api/useAction.ts';
import { useWorkPreview } from '#blocks/handover/useWorkPreview.ts';
import { movedOf, totalOf, type WorkPreview } from '#blocks/handover/workChoices.ts';
import { WorkFields } from '#blocks/handover/WorkFields.tsx';
import { handOver, WORK_KINDS } from '#features/handover/handOver.contract.ts';

/** Hands over the open work of a colleague; without `user` the caller's own. The result says what moved and what stayed. */
export function HandOverDialog({ user, onClose }: { user?: { userid: string; realname: string }; onClose: () => void }) {
  const { sector } = useUser();
  const { read, choices, setChoices, work } = useWorkPreview(user?.userid);
  const [reason, setReason] = useState('');
  const [endsHours, setEndsHours] = useState(true);
  const [hasTried, setHasTried] = useState(false);
  const pass = useActionMutation(handOver, { successMessage: '已移交' });
  const isShort = reason.trim().length < 2;
  return (
    <Modal opened onClose={onClose} title={user ? `移交“${user.realname}”的工作` : '移交我的工作'} size="xl">
      {pass.data ? (
        <Result result={pass.data} onClose={onClose} />
      ) : (
        <Loaded read={read} skeleton={<Skeletons.Lines />}>
          {(preview) => {
            const moved = movedOf(preview);
            return (
              <Stack gap="md">
                <Text size="sm">
                  预警由接收人重新受理：{gravePhrase(sector)} 2 小时内，其余 24
                  小时内，不晚于原受理时限；核实等其他时限和随访、预约的时间不变。接收人会收到一条通知。
                </Text>
                <WorkFields {...{ preview, choices, setChoices }} isLeaving={false} error={hasTried} />
                {totalOf(preview) > 0 && (
                  <>
                    {preview.hours > 0 && (
                      <Switch
                        label={`同时结束每周排班（${preview.hours} 条）`}
                        checked={endsHours}
                        onChange={(event) => setEndsHours(event.currentTarget.checked)}
                      />
                    )}
                    <Textarea
                      label="移交原因"
                      required
                      autosize
                      minRows={2}
                      maxLength={200}
                      value={reason}
                      error={hasTried && isShort ? '请填写移交原因，至少 2 个字' : undefined}
                      onChange={(event) => setReason(event.currentTarget.value)}
                    />
                  </>
                )}
                <Group justify="flex-end">
                  <Button variant="default" onClick={onClose}>
                    {totalOf(preview) > 0 ? '取消' : '关闭'}
                  </Button>
                  {totalOf(preview) > 0 && (
                    <Button
                      loading={pass.isPending}
                      onClick={() => {
                        setHasTried(true);
                        if (moved === 0 || isShort || read.isPlaceholderData) return;
                        pass.mutate({
                          ...(user ? { fromuserid: user.userid } : {}),
                          ...work,
                          reason: reason.trim(),
                          endhours: preview.hours > 0 && endsHours ? 1 : 0,
                        });
                      }}
                    >
                      {moved > 0 ? `移交 ${moved} 项` : '移交'}
                    </Button>
                  )}
                </Group>
              </Stack>
            );
          }}
        </Loaded>
      )}
    </Modal>
  );
}

const NAMES = { cases: '在办预警', followups: '待随访', bookings: '咨询预约', persons: '档案', teams: '团体' } as const;

function Result({ result, onClose }: { result: WorkPreview; onClose: () => void }) {
  const kinds = WORK_KINDS.filter((kind) => result[kind].total > 0);
  return (
    <Stack gap="md">
      <List size="sm" aria-label="移交结果">
        {kinds.map((kind) => {
          const { total, moved } = result[kind];
          const whys = [...new Set(result[kind].rows.map((row) => row.why).filter(Boolean))];
          return (
            <List.Item key={kind}>
              {NAMES[kind]}：已移交 {moved} 项
              {total > moved && `，留下 ${total - moved} 项${whys.length > 0 ? `（${whys.slice(0, 3).join('；')}）` : ''}`}
            </List.Item>
          );
        })}
      </List>
      <Group justify="flex-end">
        <Button onClick={onClose}>完成</Button>
      </Group>
    </Stack>
  );
}
