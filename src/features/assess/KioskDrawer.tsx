import { Button, Drawer, Group, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { handDeviceTo } from '#ui/api/handOver.ts';
import { useActionMutation, useActionQuery } from '#ui/api/useAction.ts';
import { RelativeTime } from '#ui/display/RelativeTime.tsx';
import { ConfirmButton } from '#ui/feedback/ConfirmButton.tsx';
import { EmptyState, Loaded, Skeletons } from '#ui/feedback/states.tsx';
import { deleteKiosk, getKioskList, insertKiosk, releaseKiosk } from '#features/assess/assess.contract.ts';
import classes from './assess.module.css';

/** 自助机: the paired devices of the institution; pairs this one and ends pairings. */
export function KioskDrawer({ onClose }: { onClose: () => void }) {
  const kiosks = useActionQuery(getKioskList, {});
  const [kioskname, setKioskname] = useState('');
  const pair = useActionMutation(insertKiosk, {
    invalidates: [getKioskList],
    onDone: ({ link }) => {
      const address = new URL(link);
      void handDeviceTo(address.pathname + address.hash);
    },
  });
  const revoke = useActionMutation(deleteKiosk, { invalidates: [getKioskList], successMessage: '已解除配对' });
  const release = useActionMutation(releaseKiosk, { invalidates: [getKioskList], successMessage: '已恢复，可以输入测评码' });
  return (
    <Drawer opened onClose={onClose} position="right" title="自助机" size="min(520px, 100vw)">
      <Stack gap="lg">
        <Text size="sm">
          自助机是放在诊室或大厅的平板或电脑。受测者输入 4 位码后作答，不显示报告。结束 20
          秒后自动清空；中途两分钟没有人操作，会先提醒，再回到开始页。
        </Text>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            pair.mutate({ kioskname });
          }}
        >
          <Stack gap="xs">
            <TextInput
              label="把这台设备设为自助机"
              description="管理端会在这台设备上退出；配对 30 天有效"
              placeholder="设备名称，如：产科一诊室平板"
              maxLength={30}
              value={kioskname}
              onChange={(event) => setKioskname(event.currentTarget.value)}
            />
            <Group>
              <Button type="submit" loading={pair.isPending} disabled={kioskname.trim() === ''}>
                配对这台设备
              </Button>
            </Group>
          </Stack>
        </form>
        <Loaded read={kiosks} skeleton={<Skeletons.Lines />}>
          {(rows) =>
            rows.length === 0 ? (
              <EmptyState title="还没有配对的设备" />
            ) : (
              <ul className={classes['kiosks']} aria-label="已配对的设备">
                {rows.map((row) => (
                  <li key={row.kioskid}>
                    <div>
                      <b>{row.kioskname}</b>
                      <Text size="xs" c="dimmed">
                        {row.pairedby ? `${row.pairedby} 配对，` : ''}
                        {row.expiretime.slice(0, 10)} 到期；{row.lasttime ? <RelativeTime at={row.lasttime} /> : '还没有'}使用
                      </Text>
                    </div>
                    {row.isstopped === 1 && (
                      <ConfirmButton
                        question={`“${row.kioskname}”因输错 5 次暂停。恢复后可以立即输入测评码。`}
                        onConfirm={() => release.mutateAsync({ kioskid: row.kioskid })}
                      >
                        已暂停，立即恢复
                      </ConfirmButton>
                    )}
                    <ConfirmButton
                      question={`解除“${row.kioskname}”的配对后，它不再接受测评码。`}
                      onConfirm={() => revoke.mutateAsync({ kioskid: row.kioskid })}
                    >
                      解除配对
                    </ConfirmButton>
                  </li>
                ))}
              </ul>
            )
          }
        </Loaded>
      </Stack>
    </Drawer>
  );
}
