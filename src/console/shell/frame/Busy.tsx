import { LoadingOverlay, Text } from '@mantine/core';
import classes from './Shell.module.css';

/** Something long is going on: what it is, over the whole page. */
export const Busy = ({ words }: { words: string }) => (
  <LoadingOverlay
    visible
    zIndex={360}
    className={classes['busy'] ?? ''}
    loaderProps={{
      children: (
        <Text role="status" fw={500}>
          {words}
        </Text>
      ),
    }}
  />
);
