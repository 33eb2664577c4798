import TenureServerKit

enum LearnerPageSpanish {
    static let words: [LearnerPageText: Wording] = [
        .matter: "contenido en mis dispositivos",
        .linkShows: """
        Muestra sus cursos y el contenido de sus dispositivos. También puede desvincular allí un dispositivo que ya \
        no use.
        """,
        .title: "Su contenido",
        .closedText: """
        Esta página muestra sus cursos y dispositivos. Solo se abre con un enlace de un solo uso. Pida el enlace \
        donde obtuvo su contenido.
        """,
        .lead: """
        Su contenido, lo que puede reproducir y lo que está guardado en sus dispositivos, según la última vez que \
        se conectaron.
        """,
        .nothingYet: "Aún no tiene ninguna inscripción.",
        .content: "Contenido",
        .otherContent: "Otro contenido",
        .noneStored: "No hay contenido guardado en sus dispositivos.",
        .storedOn: .counted(
            one: "Hay contenido guardado en un dispositivo.",
            other: "Hay contenido guardado en {count} dispositivos."),
        .enrolment: "Inscripción",
        .devices: "Dispositivos",
        .addDevice: "Otro dispositivo",
        .devicesOf: "{devices} de {limit}",
        .devicesUnlimited: "{devices}, sin límite",
        .fromDate: "a partir del {date}",
        .afterRelease: "después de desvincular uno",
        .activeNoEnd: "activa, sin fecha de fin",
        .openUntil: "activa hasta el {date}",
        .playable: "Reproducible",
        .needsRenewal: "Por renovar",
        .notDownloaded: "Sin descargar",
        .locked: "Bloqueado",
        .untilDate: "Hasta el {date}",
        .noExpiry: "Sin fecha de caducidad",
        .why: "Por qué",
        .whyNotRenewed: "Por qué no se renovará",
        .howLong: "Hasta cuándo",
        .whatToDo: "Qué puede hacer",
        .plays: .counted(one: "{count} reproducción", other: "{count} reproducciones"),
        .playTime: "{time} de reproducción",
        .notReported: "{limit}, uso no comunicado",
        .playsLeft: "reproducciones restantes: {left} de {granted}",
        .playTimeLeft: "tiempo de reproducción restante: {time}",
        .onlineOnly: "solo con conexión",
        .detail: "; {detail}",
        .noTime: "0 s",
        .hours: "{number} h",
        .minutes: "{number} min",
        .seconds: "{number} s",
        .untilConnects: "Hasta que el dispositivo se conecte al servidor.",
        .permanently: "De forma definitiva para esta inscripción.",
        .untilReleased: "Hasta que se desvincule un dispositivo.",
        .untilChanged: "Hasta que el proveedor lo cambie.",
        .more: .counted(one: "Hay {count} más que no se muestra.", other: "Hay {count} más que no se muestran."),
        .showStored: "Ver el contenido guardado",
        .releaseWarning: """
        Todo su contenido se devolverá, y el dispositivo lo sabrá la próxima vez que se conecte a internet. Hasta \
        entonces, quizá pueda seguir reproduciéndolo y cuente para su límite. Solo soporte puede deshacerlo.
        """,
        .device: "Dispositivo {code}",
        .noSuchDevice: "No tiene este dispositivo. Puede que ya se haya desvinculado.",
        .deleted: "El proveedor hizo borrar el contenido del dispositivo.",
        .revoked: "El proveedor ha revocado la licencia.",
        .expired: "El proveedor ha puesto fin a la licencia.",
        .returned: "La licencia se ha devuelto.",
        .released: "El dispositivo se ha desvinculado.",
        .unknown: "El servidor no conoce la licencia.",
        .startsOn: "El contenido estará disponible el {date}.",
        .expiredOn: "El contenido caducó el {date}.",
        .windowOver: "El tiempo desde la primera reproducción terminó el {date}.",
        .playsUsedUp: .counted(
            one: "La única reproducción ya se ha usado.", other: "Las {count} reproducciones ya se han usado."),
        .playTimeUsedUp: "Ya se ha usado todo el tiempo de reproducción: {time}.",
        .checkInOverdue: "El dispositivo tenía que conectarse al servidor a más tardar el {date}.",
        .playerExpired: "El reproductor comunicó el {date} que el contenido había caducado.",
        .onlineNeeded: "El contenido solo se reproduce con conexión a internet.",
        .clockSetBack: "El reloj del dispositivo se ha atrasado.",
        .enrolmentUnknown: "Ninguna de sus inscripciones incluye este contenido.",
        .enrolmentPaused: "Su inscripción está en pausa.",
        .enrolmentEnded: "Su inscripción ha terminado.",
        .enrolmentEndedOn: "Su inscripción terminó el {date}.",
        .enrolmentStarts: "Su inscripción empieza el {date}.",
        .deviceLimit: .counted(
            one: "{devices} de {count} dispositivo en uso.", other: "{devices} de {count} dispositivos en uso."),
        .notRenewable: "El contenido no se puede renovar.",
        .renewalsUsed: .counted(
            one: "El contenido ya se ha renovado una vez, que es el máximo.",
            other: "El contenido ya se ha renovado {count} veces, que es el máximo."),
        .renewableUntil: "El contenido se podía renovar hasta el {date}.",
        .grantNeeded: "El dispositivo tiene una licencia más reciente que la del servidor.",
        .releaseOff: "Aquí solo soporte puede desvincular dispositivos. Escriba a soporte e indique el dispositivo.",
        .connect: "Conecte el dispositivo a internet y abra el contenido en él. Se renovará automáticamente.",
        .wait: "No tiene que hacer nada.",
        .releaseBelow: "Desvincule más abajo un dispositivo que ya no use.",
        .releaseBySupport: "Pida a soporte que desvincule un dispositivo que ya no use.",
        .setClock: "Ajuste el reloj del dispositivo o conéctelo una vez a internet.",
        .vendor: "Escriba a soporte e indique la referencia que figura al final de esta página.",
        .appConnect: "Conéctese a internet y vuelva a abrir el contenido.",
        .appWait: "Espere hasta esa fecha.",
        .appRelease: "Desvincule un dispositivo que ya no use.",
        .appSetClock: "Ajuste el reloj del dispositivo.",
        .appVendor: "Escriba a soporte.",
        .playerBusy: "El servidor de licencias está ocupado. Inténtelo de nuevo dentro de un minuto.",
        .playerUnread: "No se ha podido entender la solicitud.",
    ]
}
