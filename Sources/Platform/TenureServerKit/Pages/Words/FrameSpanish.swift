enum FrameSpanish {
    static let words: [FrameText: Wording] = [
        .skip: "Ir al contenido",
        .view: "Idioma y zona horaria",
        .language: "Idioma",
        .timeZone: "Zona horaria",
        .apply: "Aplicar",
        .simulated: """
        Simulación: las licencias de este servidor son para pruebas. Los dispositivos reales no las aceptan.
        """,
        .virtualClock: "Reloj virtual: la hora de este servidor está modificada para pruebas.",
        .nothingHere: "Página no encontrada",
        .homeTitle: "Servidor de licencias",
        .homeLead: "Aquí las apps comprueban sus licencias. No tiene que hacer nada en esta página.",
        .homeText: """
        Si ha recibido un enlace a su licencia, sus dispositivos o sus cursos, abra el enlace completo, hasta el \
        último carácter.
        """,
        .homeProgram: "Para desarrolladores: {link}",
        .signedInAs: "Sesión iniciada: {name}",
        .license: "Licencia {name}",
        .signOut: "Cerrar sesión",
        .close: "Cerrar",
        .supportEmail: "¿Necesita ayuda? Escriba a {email}.",
        .supportSite: "¿Necesita ayuda? Visite {site}.",
        .supportBoth: "¿Necesita ayuda? Escriba a {email} o visite {site}.",
        .supportReference: "Referencia para soporte: {reference}",
        .homepage: "Ir al sitio web de {name}",
        .timeNow: "ahora",
        .timeInMinutes: .counted(one: "dentro de 1 minuto", other: "dentro de {count} minutos"),
        .timeInHours: .counted(one: "dentro de 1 hora", other: "dentro de {count} horas"),
        .timeInDays: .counted(one: "dentro de 1 día", other: "dentro de {count} días"),
        .timeMinutesAgo: .counted(one: "hace 1 minuto", other: "hace {count} minutos"),
        .timeHoursAgo: .counted(one: "hace 1 hora", other: "hace {count} horas"),
        .timeDaysAgo: .counted(one: "hace 1 día", other: "hace {count} días"),
        .linkTitle: "Su enlace de un solo uso",
        .linkWorksOnce: "El enlace funciona una sola vez.",
        .linkStaysSignedIn: "La sesión permanece abierta media hora en este dispositivo.",
        .linkStaysOpen: "La página permanece abierta media hora en este dispositivo.",
        .goOn: "Continuar",
        .toStart: "Ir al inicio",
        .toDevices: "Volver a sus dispositivos",
        .toLicense: "Volver a su licencia",
        .showApp: "Ver {app} en {marketplace}",
        .released: "El dispositivo se ha desvinculado",
        .releasedText: "Ya puede usar otro dispositivo. Abra la app en él para obtener una licencia.",
        .stopped: "El dispositivo no se ha desvinculado",
        .stoppedText: "El proveedor ha bloqueado su licencia. Pregunte el motivo a soporte.",
        .asked: "Su solicitud se ha guardado",
        .askedText: """
        Puede obtener una licencia nueva para {app}.
        El propio dispositivo tiene que recogerla. Abra en él la app de la tienda, espere un minuto y vuelva a abrir \
        {app}.
        """,
        .askedInVain: "Su solicitud se ha guardado, pero hay un problema",
        .askedInVainText: "{app}: {problem}.",
        .over: "No hay nada que renovar",
        .overText: "Esta licencia ha terminado. Para obtener una nueva, reinstale la app desde la app de la tienda.",
        .unknownLicense: "Licencia no encontrada",
        .unknownLicenseText: "Esta cuenta no tiene esa licencia.",
        .noSession: "Inicie sesión de nuevo",
        .noSessionText: "La sesión se ha cerrado al cabo de media hora.",
        .linkSpent: "Este enlace no funciona",
        .linkSpentText: """
        Ya se ha usado o ha caducado. Pida uno nuevo a soporte o inicie sesión con su contraseña.
        """,
        .formRefused: "Inténtelo de nuevo",
        .formRefusedText: """
        El formulario no procedía de esta página, o ha vuelto a iniciar sesión entretanto. No se ha cambiado nada.
        """,
        .tooMany: "Demasiados intentos",
        .tooManyText: .counted(
            one: "Inténtelo de nuevo dentro de un minuto.",
            other: "Inténtelo de nuevo dentro de {count} minutos."),
        .busy: "Un momento",
        .busyText: "El servidor está ocupado. Inténtelo de nuevo dentro de unos segundos.",
        .failed: "Algo ha fallado",
        .failedText: "El error es nuestro. No se ha cambiado nada. Inténtelo de nuevo dentro de un minuto.",
        .deviceReleased: "{device}: dispositivo desvinculado",
        .deviceReleasedText: """
        Abra la app en el dispositivo que quiera usar y active allí su licencia.
        {device} lo sabrá la próxima vez que se conecte a internet.
        """,
        .deviceKept: "El dispositivo no se ha desvinculado",
        .yourDevices: "Sus dispositivos",
        .lastSeen: "Última conexión",
        .release: "Desvincular dispositivo",
        .releaseNow: "Sí, desvincular {device}",
        .releasesLeft: .counted(
            one: "Este año puede desvincular un dispositivo más.",
            other: "Este año puede desvincular {count} dispositivos."),
        .releaseCooldown: """
        Hace poco desvinculó un dispositivo. Podrá desvincular otro a partir del {date}.
        Si no puede esperar, escriba a soporte.
        """,
        .releasesUsedUp: """
        Ya ha desvinculado todos los dispositivos que se permiten en un año. Podrá desvincular otro a partir del \
        {date}.
        Si no puede esperar, escriba a soporte.
        """,
        .pageClosed: "Esta página está cerrada",
        .pageClosedText: """
        Permanece abierta media hora; después, nadie puede verla. Pida un enlace nuevo a soporte.
        """,
        .pageLinkSpent: "Este enlace no funciona",
        .pageLinkSpentText: "Ya se ha usado o ha caducado. Pida uno nuevo a soporte.",
        .contentsReleased: "El dispositivo se ha desvinculado",
        .contentsReleasedText: """
        Todo su contenido se ha devuelto. El dispositivo lo sabrá la próxima vez que se conecte a internet.
        Inicie sesión en el dispositivo que quiera usar y descargue allí su contenido.
        """,
        .signedOut: "Ha cerrado la sesión",
        .signedOutText: "Nadie puede ver aquí sus dispositivos si no vuelve a iniciar sesión.",
    ]
}
