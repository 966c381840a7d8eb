/** English texts for scanner, camera and sound. */
export const scan = {
  target: 'Scan a code',
  type: 'Type a code',
  cameraOn: 'Scan with the camera',
  cameraOff: 'Switch the camera off',
  muted: 'The sound starts with your first tap.',
};
