import { Button, Drawer, Stack, Text, Title } from '@mantine/core';
import { useFocusBack } from '#ui/feedback/useFocusBack.ts';
import { useSectorWords } from '#ui/api/session.ts';
import { helpOf } from '#console/help/helpOf.ts';
import { WORDS } from '#console/help/texts/words.ts';
import classes from './HelpDrawer.module.css';

interface Props {
  /** the path of the screen's route */
  path: string;
  title: string;
  onClose: () => void;
  openKeys: () => void;
}

/** 这一页怎么用: what the screen is for, a short walk with the keyboard, and its words. */
export function HelpDrawer({ path, title, onClose, openKeys }: Props) {
  useFocusBack();
  const say = useSectorWords();
  const help = helpOf(path);
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size="min(420px, 100vw)"
      title={`${title}：这一页怎么用`}
      closeButtonProps={{ 'aria-label': '关闭' }}
    >
      <Stack gap="lg">
        {help && (
          <>
            <section>
              {help.purpose.map((sentence) => (
                <Text key={sentence} mb={6}>
                  {say(sentence)}
                </Text>
              ))}
            </section>
            <section>
              <Title order={3} fz="sm" mb={6}>
                30 秒走一遍
              </Title>
              <ol className={classes['steps']}>
                {help.steps.map((step) => (
                  <li key={step}>{say(step)}</li>
                ))}
              </ol>
            </section>
            {help.words.length > 0 && (
              <section>
                <Title order={3} fz="sm" mb={6}>
                  这一页的词
                </Title>
                <dl className={classes['words']}>
                  {help.words.map((word) => (
                    <div key={word}>
                      <dt>{word}</dt>
                      <dd>{say(WORDS[word])}</dd>
                    </div>
                  ))}
                </dl>
              </section>
            )}
          </>
        )}
        <Button variant="default" onClick={openKeys}>
          全部键盘操作
        </Button>
      </Stack>
    </Drawer>
  );
}
