enum FrameFrench {
    static let words: [FrameText: Wording] = [
        .skip: "Aller au contenu",
        .view: "Langue et fuseau horaire",
        .language: "Langue",
        .timeZone: "Fuseau horaire",
        .apply: "Appliquer",
        .simulated: """
        Simulation : les licences de ce serveur sont destinées aux essais. Les vrais appareils ne les acceptent pas.
        """,
        .virtualClock: "Horloge virtuelle : l’heure de ce serveur est décalée pour des essais.",
        .nothingHere: "Page introuvable",
        .homeTitle: "Serveur de licences",
        .homeLead: "Les apps vérifient ici leurs licences. Vous n’avez rien à faire sur cette page.",
        .homeText: """
        Si vous avez reçu un lien vers votre licence, vos appareils ou vos cours, ouvrez-le en entier, jusqu’au \
        dernier caractère.
        """,
        .homeProgram: "Pour les développeurs : {link}",
        .signedInAs: "Session ouverte : {name}",
        .license: "Licence {name}",
        .signOut: "Se déconnecter",
        .close: "Fermer",
        .supportEmail: "Besoin d’aide ? Écrivez à {email}.",
        .supportSite: "Besoin d’aide ? Consultez {site}.",
        .supportBoth: "Besoin d’aide ? Écrivez à {email} ou consultez {site}.",
        .supportReference: "Référence pour l’assistance : {reference}",
        .homepage: "Aller sur le site {name}",
        .timeNow: "maintenant",
        .timeInMinutes: .counted(one: "dans 1 minute", other: "dans {count} minutes"),
        .timeInHours: .counted(one: "dans 1 heure", other: "dans {count} heures"),
        .timeInDays: .counted(one: "dans 1 jour", other: "dans {count} jours"),
        .timeMinutesAgo: .counted(one: "il y a 1 minute", other: "il y a {count} minutes"),
        .timeHoursAgo: .counted(one: "il y a 1 heure", other: "il y a {count} heures"),
        .timeDaysAgo: .counted(one: "il y a 1 jour", other: "il y a {count} jours"),
        .linkTitle: "Votre lien à usage unique",
        .linkWorksOnce: "Le lien ne fonctionne qu’une fois.",
        .linkStaysSignedIn: "Votre session reste ouverte une demi-heure sur cet appareil.",
        .linkStaysOpen: "La page reste ouverte une demi-heure sur cet appareil.",
        .goOn: "Continuer",
        .toStart: "Aller à l’accueil",
        .toDevices: "Retour à vos appareils",
        .toLicense: "Retour à votre licence",
        .showApp: "Voir {app} sur {marketplace}",
        .released: "L’appareil est dissocié",
        .releasedText: "Vous pouvez maintenant en utiliser un autre. Ouvrez-y l’app pour obtenir une licence.",
        .stopped: "L’appareil n’a pas été dissocié",
        .stoppedText: "L’éditeur a bloqué sa licence. L’assistance peut vous en donner la raison.",
        .asked: "Votre demande est enregistrée",
        .askedText: """
        Vous pouvez obtenir une nouvelle licence pour {app}.
        L’appareil doit la récupérer lui-même. Ouvrez-y l’app de la place de marché, attendez une minute, puis \
        relancez {app}.
        """,
        .askedInVain: "Votre demande est enregistrée, mais il y a un problème",
        .askedInVainText: "{app} : {problem}.",
        .over: "Il n’y a rien à renouveler",
        .overText: """
        Cette licence a pris fin. Pour en obtenir une nouvelle, réinstallez l’app depuis l’app de la place de marché.
        """,
        .unknownLicense: "Licence introuvable",
        .unknownLicenseText: "Ce compte n’a pas cette licence.",
        .noSession: "Veuillez vous reconnecter",
        .noSessionText: "Votre session s’est fermée au bout d’une demi-heure.",
        .linkSpent: "Ce lien ne fonctionne pas",
        .linkSpentText: """
        Il a déjà servi ou a expiré. Demandez-en un nouveau à l’assistance, ou connectez-vous avec votre mot de passe.
        """,
        .formRefused: "Veuillez réessayer",
        .formRefusedText: """
        Le formulaire ne venait pas de cette page, ou vous avez ouvert une nouvelle session entre-temps. Rien n’a \
        été modifié.
        """,
        .tooMany: "Trop de tentatives",
        .tooManyText: .counted(one: "Réessayez dans une minute.", other: "Réessayez dans {count} minutes."),
        .busy: "Un instant",
        .busyText: "Le serveur est surchargé. Réessayez dans quelques secondes.",
        .failed: "Une erreur s’est produite",
        .failedText: "Le problème vient de nous. Rien n’a été modifié. Réessayez dans une minute.",
        .deviceReleased: "{device} : appareil dissocié",
        .deviceReleasedText: """
        Ouvrez l’app sur l’appareil que vous voulez utiliser et activez-y votre licence.
        {device} le saura à sa prochaine connexion à Internet.
        """,
        .deviceKept: "L’appareil n’a pas été dissocié",
        .yourDevices: "Vos appareils",
        .lastSeen: "Dernière connexion",
        .release: "Dissocier cet appareil",
        .releaseNow: "Oui, dissocier {device}",
        .releasesLeft: .counted(
            one: "Vous pouvez encore dissocier un appareil cette année.",
            other: "Vous pouvez dissocier {count} appareils cette année."),
        .releaseCooldown: """
        Vous avez dissocié un appareil récemment. Vous pourrez en dissocier un autre à partir du {date}.
        Si vous ne pouvez pas attendre, écrivez à l’assistance.
        """,
        .releasesUsedUp: """
        Vous avez atteint le nombre de dissociations permis par an. Vous pourrez dissocier un autre appareil à \
        partir du {date}.
        Si vous ne pouvez pas attendre, écrivez à l’assistance.
        """,
        .pageClosed: "Cette page est fermée",
        .pageClosedText: """
        Elle reste ouverte une demi-heure ; ensuite, personne ne peut plus la voir. Demandez un nouveau lien à \
        l’assistance.
        """,
        .pageLinkSpent: "Ce lien ne fonctionne pas",
        .pageLinkSpentText: "Il a déjà servi ou a expiré. Demandez-en un nouveau à l’assistance.",
        .contentsReleased: "L’appareil est dissocié",
        .contentsReleasedText: """
        Tous ses contenus ont été rendus. L’appareil le saura à sa prochaine connexion à Internet.
        Connectez-vous sur l’appareil que vous voulez utiliser et téléchargez-y vos contenus.
        """,
        .signedOut: "Votre session est fermée",
        .signedOutText: "Personne ne peut voir vos appareils ici tant que vous ne vous reconnectez pas.",
    ]
}
