import { Button, Group, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import type { ResponseOf } from '#contract/action.ts';
import { KEY_SCOPES } from '#contract/apikey/openToKeys.ts';
import { Can } from '#ui/api/Can.tsx';
import { useActionMutation, useActionQuery } from '#ui/api/useAction.ts';
import { Badge } from '#ui/display/badges.tsx';
import { PageStack, Section } from '#ui/display/Section.tsx';
import { ConfirmButton } from '#ui/feedback/ConfirmButton.tsx';
import { EmptyState, Loaded, Skeletons } from '#ui/feedback/states.tsx';
import { endApiKey, getApiKeys, insertApiKey } from '#features/apikey/apikey.contract.ts';
import { KeyDrawer } from '#features/apikey/KeyDrawer.tsx';
import classes from './apikey.module.css';

type ApiKey = ResponseOf<typeof getApiKeys>['keys'][number];

/** A key that ends within these days has a mark. */
const SOON_DAYS = 14;
const endsSoon = ({ state, expiretime }: ApiKey): boolean =>
  state === 'valid' && new Date(`${expiretime.replace(' ', 'T')}+08:00`).getTime() - Date.now() < SOON_DAYS * 86_400_000;

/** 对接密钥: the keys with which other systems read the data of the institution. */
export default function ApiKeyPage() {
  const read = useActionQuery(getApiKeys, {});
  const [isAdding, setIsAdding] = useState(false);
  const end = useActionMutation(endApiKey, { invalidates: [getApiKeys], successMessage: '已停用，用它的系统立即读不到数据' });
  return (
    <PageStack>
      <Section
        title="对接密钥"
        right={
          <Can call={insertApiKey}>
            <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setIsAdding(true)}>
              新建密钥
            </Button>
          </Can>
        }
      >
        <Text size="sm" c="dimmed" mb="sm">
          供校园平台、医院系统等读取本机构（含下级）的数据，只读，姓名遮盖。调用方式见{' '}
          <a href="/openapi" target="_blank" rel="noreferrer">
            调用说明
          </a>
          。
        </Text>
        <Loaded read={read} skeleton={<Skeletons.Lines count={4} />}>
          {({ keys, open }) =>
            keys.length === 0 ? (
              <EmptyState title="还没有密钥" hint="有系统要读取本机构的数据时，为它新建一个" />
            ) : (
              <ul className={classes['keys']}>
                {keys.map((key) => (
                  <li key={key.keyid} data-ended={key.state !== 'valid' || undefined}>
                    <div>
                      <Group gap="xs">
                        <Text fw={600} component="span">
                          {key.keyname}
                        </Text>
                        <code>{key.prefix}…</code>
                        {key.state === 'ended' && <Badge tone="gray">已停用</Badge>}
                        {key.state === 'expired' && <Badge tone="gray">已过期</Badge>}
                        {endsSoon(key) && <Badge tone="orange">即将到期</Badge>}
                      </Group>
                      <Text size="sm">
                        {key.scopes
                          .map((scope) => `${KEY_SCOPES[scope].title}${open.includes(scope) ? '' : '（未开通）'}`)
                          .join('、')}
                      </Text>
                      <Text size="sm" c="dimmed">
                        每分钟 {key.permin} 次 · {key.createby} 于 {key.createtime.slice(0, 10)} 新建 · 有效至{' '}
                        {key.expiretime.slice(0, 10)} · {key.lasttime ? `最近使用 ${key.lasttime.slice(0, 16)}` : '还没有用过'}
                      </Text>
                    </div>
                    {key.state === 'valid' && (
                      <Can call={endApiKey}>
                        <ConfirmButton
                          color="red"
                          question={`停用“${key.keyname}”后，用它的系统立即读不到数据，不能恢复。是否停用？`}
                          onConfirm={() => end.mutateAsync({ keyid: key.keyid })}
                        >
                          停用
                        </ConfirmButton>
                      </Can>
                    )}
                  </li>
                ))}
              </ul>
            )
          }
        </Loaded>
      </Section>
      {isAdding && <KeyDrawer open={read.data?.open ?? []} onClose={() => setIsAdding(false)} />}
    </PageStack>
  );
}
