import { Button } from '@mantine/core';
import { IconSparkles } from '@tabler/icons-react';
import { useState } from 'react';
import { lazyDialog } from '#ui/router/lazyDialog.tsx';
import { useUser } from '#ui/api/session.ts';
import { hasNews } from '#console/news/unread.ts';

const NewsDrawer = lazyDialog(() => import('#console/news/NewsDrawer.tsx').then((file) => file.NewsDrawer));

/** The way to the news, beside the breadcrumb of 工作台 until the user has opened it. */
export function NewsButton() {
  const user = useUser();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      {hasNews(user) && (
        <Button
          variant="light"
          size="compact-xs"
          leftSection={<IconSparkles size={14} aria-hidden />}
          onClick={() => setIsOpen(true)}
        >
          有更新内容
        </Button>
      )}
      {isOpen && <NewsDrawer onClose={() => setIsOpen(false)} />}
    </>
  );
}
