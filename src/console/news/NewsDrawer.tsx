import { Badge, Drawer, Group, Stack, Text, Title } from '@mantine/core';
import { useEffect, useState } from 'react';
import { callWithoutRecovery } from '#ui/api/call.ts';
import { session, setUser, useSectorWords, useUser } from '#ui/api/session.ts';
import { useFocusBack } from '#ui/feedback/useFocusBack.ts';
import { Link } from '#ui/router/router.tsx';
import { readReleases } from '#features/guide/guide.contract.ts';
import { hasNews, ownReleases } from '#console/news/unread.ts';
import classes from './news.module.css';

/** 更新内容: what has changed for the user, the newest first. Opening it marks all as read. */
export function NewsDrawer({ onClose }: { onClose: () => void }) {
  useFocusBack();
  const user = useUser();
  const say = useSectorWords();
  const [readUntil] = useState(user.releaseread);
  const list = ownReleases();
  useEffect(() => {
    const { user: current } = session();
    const newest = ownReleases()[0]?.day;
    if (!current || !newest || !hasNews(current)) return;
    setUser({ ...current, releaseread: newest });
    // After a failure the news is new again at the next sign-in.
    callWithoutRecovery(readReleases, { release: newest }).catch(() => undefined);
  }, []);
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size="min(440px, 100vw)"
      title="更新内容"
      closeButtonProps={{ 'aria-label': '关闭' }}
    >
      <Stack gap="xl">
        {list.map(({ day, title, changes }) => (
          <section key={day} aria-labelledby={`news-${day}`}>
            <Group gap={8} mb={4}>
              <Text size="sm" c="dimmed">
                {day}
              </Text>
              {day > readUntil && (
                <Badge size="sm" variant="light">
                  新
                </Badge>
              )}
            </Group>
            <Title order={3} fz="md" mb={6} id={`news-${day}`}>
              {title}
            </Title>
            <ul className={classes['changes']}>
              {changes.map(({ text, path }) => (
                <li key={text}>
                  {say(text)}
                  {path && (
                    <>
                      {' '}
                      <Link to={path} onClick={onClose}>
                        去看看
                      </Link>
                    </>
                  )}
                </li>
              ))}
            </ul>
          </section>
        ))}
        {list.length === 0 && <Text c="dimmed">还没有与您有关的更新。</Text>}
      </Stack>
    </Drawer>
  );
}
