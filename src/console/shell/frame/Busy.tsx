import { LoadingOverlay, Text } from '@mantine/core';
import classes from './Shell.module.css';

/** Covers the page during a long operation and names the operation. */
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
