import TenureServerKit

enum LearnerPageFrench {
    static let words: [LearnerPageText: Wording] = [
        .matter: "contenus sur mes appareils",
        .linkShows: """
        Il montre vos cours et les contenus de vos appareils. Vous pouvez aussi y dissocier un appareil que vous \
        n’utilisez plus.
        """,
        .title: "Vos contenus",
        .closedText: """
        Cette page montre vos cours et vos appareils. Elle ne s’ouvre qu’avec un lien à usage unique. Demandez ce \
        lien là où vous avez obtenu vos contenus.
        """,
        .lead: """
        Vos contenus, ce que vous pouvez lire et ce qui est enregistré sur vos appareils, d’après leur dernière \
        connexion.
        """,
        .nothingYet: "Vous n’avez encore aucune inscription.",
        .content: "Contenus",
        .otherContent: "Autres contenus",
        .noneStored: "Aucun contenu n’est enregistré sur vos appareils.",
        .storedOn: .counted(
            one: "Des contenus sont enregistrés sur un appareil.",
            other: "Des contenus sont enregistrés sur {count} appareils."),
        .enrolment: "Inscription",
        .devices: "Appareils",
        .addDevice: "Appareil supplémentaire",
        .devicesOf: "{devices} sur {limit}",
        .devicesUnlimited: "{devices}, sans limite",
        .fromDate: "à partir du {date}",
        .afterRelease: "après la dissociation d’un appareil",
        .activeNoEnd: "en cours, sans date de fin",
        .openUntil: "en cours jusqu’au {date}",
        .playable: "Lecture possible",
        .needsRenewal: "À renouveler",
        .notDownloaded: "Non téléchargé",
        .locked: "Bloqué",
        .untilDate: "Jusqu’au {date}",
        .noExpiry: "Sans date d’expiration",
        .why: "Pourquoi",
        .whyNotRenewed: "Pourquoi il ne sera pas renouvelé",
        .howLong: "Jusqu’à quand",
        .whatToDo: "Que faire",
        .plays: .counted(one: "{count} lecture", other: "{count} lectures"),
        .playTime: "{time} de lecture",
        .notReported: "{limit}, utilisation non signalée",
        .playsLeft: "lectures restantes : {left} sur {granted}",
        .playTimeLeft: "encore {time} de lecture",
        .onlineOnly: "uniquement en ligne",
        .detail: " ; {detail}",
        .noTime: "0 s",
        .hours: "{number} h",
        .minutes: "{number} min",
        .seconds: "{number} s",
        .untilConnects: "Jusqu’à ce que l’appareil se connecte au serveur.",
        .permanently: "Définitivement pour cette inscription.",
        .untilReleased: "Jusqu’à ce qu’un appareil soit dissocié.",
        .untilChanged: "Jusqu’à ce que l’éditeur change cela.",
        .more: .counted(one: "{count} autre n’est pas affiché.", other: "{count} autres ne sont pas affichés."),
        .showStored: "Voir les contenus enregistrés",
        .releaseWarning: """
        Tous ses contenus seront rendus, et l’appareil le saura à sa prochaine connexion à Internet. D’ici là, il \
        pourra encore les lire et compter dans votre limite. Seule l’assistance peut annuler une dissociation.
        """,
        .device: "Appareil {code}",
        .noSuchDevice: "Vous n’avez pas cet appareil. Il a peut-être déjà été dissocié.",
        .deleted: "L’éditeur a fait supprimer le contenu de l’appareil.",
        .revoked: "L’éditeur a révoqué la licence.",
        .expired: "L’éditeur a mis fin à la licence.",
        .returned: "La licence a été rendue.",
        .released: "L’appareil a été dissocié.",
        .unknown: "Le serveur ne connaît pas la licence.",
        .startsOn: "Le contenu sera disponible le {date}.",
        .expiredOn: "Le contenu a expiré le {date}.",
        .windowOver: "Le temps accordé après la première lecture s’est écoulé le {date}.",
        .playsUsedUp: .counted(
            one: "L’unique lecture a été utilisée.", other: "Les {count} lectures ont été utilisées."),
        .playTimeUsedUp: "Tout le temps de lecture a été utilisé : {time}.",
        .checkInOverdue: "L’appareil devait se connecter au serveur au plus tard le {date}.",
        .playerExpired: "Le lecteur a signalé le {date} que le contenu avait expiré.",
        .onlineNeeded: "Le contenu ne peut être lu qu’avec une connexion à Internet.",
        .clockSetBack: "L’horloge de l’appareil a été reculée.",
        .enrolmentUnknown: "Aucune de vos inscriptions ne comprend ce contenu.",
        .enrolmentPaused: "Votre inscription est en pause.",
        .enrolmentEnded: "Votre inscription est terminée.",
        .enrolmentEndedOn: "Votre inscription a pris fin le {date}.",
        .enrolmentStarts: "Votre inscription commence le {date}.",
        .deviceLimit: .counted(
            one: "Appareil utilisé : {devices} sur {count}.", other: "Appareils utilisés : {devices} sur {count}."),
        .notRenewable: "Le contenu ne peut pas être renouvelé.",
        .renewalsUsed: .counted(
            one: "Le contenu a été renouvelé une fois, c’est le maximum.",
            other: "Le contenu a été renouvelé {count} fois, c’est le maximum."),
        .renewableUntil: "Le contenu pouvait être renouvelé jusqu’au {date}.",
        .grantNeeded: "L’appareil a une licence plus récente que celle du serveur.",
        .releaseOff: "Seule l’assistance peut dissocier des appareils. Écrivez-lui en précisant l’appareil.",
        .connect: "Connectez l’appareil à Internet et ouvrez-y le contenu. Il se renouvellera automatiquement.",
        .wait: "Vous n’avez rien à faire.",
        .releaseBelow: "Dissociez ci-dessous un appareil que vous n’utilisez plus.",
        .releaseBySupport: "Demandez à l’assistance de dissocier un appareil que vous n’utilisez plus.",
        .setClock: "Réglez l’horloge de l’appareil, ou connectez-le une fois à Internet.",
        .vendor: "Écrivez à l’assistance en indiquant la référence qui figure au bas de cette page.",
        .appConnect: "Connectez-vous à Internet et rouvrez le contenu.",
        .appWait: "Attendez cette date.",
        .appRelease: "Dissociez un appareil que vous n’utilisez plus.",
        .appSetClock: "Réglez l’horloge de l’appareil.",
        .appVendor: "Écrivez à l’assistance.",
        .playerBusy: "Le serveur de licences est surchargé. Réessayez dans une minute.",
        .playerUnread: "La demande n’a pas pu être comprise.",
    ]
}
