import { Button, Group, Radio, Stack, Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { confirm } from '#ui/feedback/confirm.tsx';
import { BlockingDialog } from '#ui/feedback/BlockingDialog.tsx';
import { notifyError } from '#ui/feedback/notify.ts';
import { useUser } from '#ui/api/session.ts';
import { Loaded } from '#ui/feedback/states.tsx';
import { reread, signOut } from '#console/session.ts';
import { takeApp, useApps } from '#console/shell/account/apps.ts';
import classes from '../frame/Shell.module.css';

/** Asks once per sign-in which app to work with. Exempt accounts are not asked. */
export function AppDialog({ onDone }: { onDone: () => void }) {
  const user = useUser();
  const [chosen, setChosen] = useState(user.appid);
  const [busy, setBusy] = useState(false);
  const read = useApps(!user.mustchangepwd);
  const { apps } = read;
  const isNotified = useRef(false);
  useEffect(() => {
    if (apps?.length !== 0 || isNotified.current) return;
    isNotified.current = true;
    void confirm({ text: '该账号暂无应用，即将退出登录', no: null }).then(() => signOut());
  }, [apps]);
  if (user.mustchangepwd || apps?.length === 0) return null;
  const appid = apps?.some((app) => app.appid === chosen) ? chosen : apps?.[0]?.appid;
  const start = async () => {
    if (!appid || busy) return;
    setBusy(true);
    try {
      await takeApp(appid);
      await reread();
      onDone();
    } catch (error) {
      notifyError(error);
      setBusy(false);
    }
  };
  return (
    <BlockingDialog title="请选择应用" size="md" zIndex={300}>
      <Loaded read={read}>
        {() => (
          <Radio.Group value={appid ?? ''} onChange={setChosen} aria-label="应用">
            <Stack gap="xs">
              {apps?.map((app) => (
                <Radio.Card key={app.appid} value={app.appid} className={classes['app'] ?? ''}>
                  <Group wrap="nowrap">
                    <Radio.Indicator />
                    {app.iconurl && <img src={app.iconurl} alt="" width={36} height={36} />}
                    <div>
                      <Text fw={500}>{app.appname}</Text>
                      {app.enddate && (
                        <Text size="xs" c="dimmed">
                          有效期至 {app.enddate.slice(0, 10)}
                        </Text>
                      )}
                    </div>
                  </Group>
                </Radio.Card>
              ))}
            </Stack>
          </Radio.Group>
        )}
      </Loaded>
      <Group justify="flex-end" mt="lg">
        <Button disabled={!appid} loading={busy} onClick={() => void start()}>
          开始使用
        </Button>
      </Group>
    </BlockingDialog>
  );
}
