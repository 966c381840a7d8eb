/** English texts for scanner, camera and sound. */
export const scan = {
  target: 'Scan a code',
  type: 'Type a code',
  cameraOn: 'Scan with the camera',
  cameraOff: 'Switch the camera off',
  cameraView: 'What the camera sees',
  cameraDenied: 'The browser may not use the camera',
  cameraDeniedHint: 'Open the settings of this page in the browser, and allow the camera.',
  cameraNone: 'No camera was found',
  cameraNoneHint: 'Use a scanner, or type the code.',
  cameraNotLoaded: 'The camera needs the network once. Try again when you are online.',
  lightOn: 'Light on',
  lightOff: 'Light off',
  muted: 'The sound starts with your first tap.',
};
