/** Spanish texts for scanner, camera and sound. */
export const scan = {
  target: 'Escanear un código',
  type: 'Escribir un código',
  cameraOn: 'Escanear con la cámara',
  cameraOff: 'Apagar la cámara',
  cameraView: 'Imagen de la cámara',
  cameraDenied: 'El navegador no puede usar la cámara',
  cameraDeniedHint: 'Abra los ajustes de esta página en el navegador y permita la cámara.',
  cameraNone: 'No se encontró ninguna cámara',
  cameraNoneHint: 'Use un escáner o escriba el código.',
  cameraNotLoaded: 'La cámara necesita la red una vez. Inténtelo de nuevo cuando tenga conexión.',
  lightOn: 'Encender la luz',
  lightOff: 'Apagar la luz',
  muted: 'El sonido empieza con el primer toque.',
};
