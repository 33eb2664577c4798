import TenureServerKit

enum ResolutionPageGerman {
    static let words: [ResolutionPageText: Wording] = [
        .matter: "eine App öffnet sich nicht",
        .linkShows: "Er zeigt den Stand Ihres Kontos bei {marketplace}.",
        .publicTitle: "{app} öffnet sich nicht?",
        .publicTitleUnknown: "Eine App öffnet sich nicht?",
        .publicLead: "Meist öffnet sie sich wieder, sobald Sie die Marktplatz-App geöffnet haben.",
        .sessionEnded: "Sie wurden nach einer halben Stunde abgemeldet. Bitte melden Sie sich noch einmal an.",
        .theApp: "die App",
        .withdrawnMark: "Zurückgezogen",
        .withdrawnTitle: "Diese App wird nicht mehr angeboten",
        .withdrawnEnds: """
        Der Anbieter hat sie zurückgezogen und verlängert ihre Lizenzen nicht mehr. Wenn sie ablaufen, \
        öffnet sich \
        die App nicht mehr.
        """,
        .withdrawnStays: """
        Der Anbieter hat sie zurückgezogen. Installierte Apps funktionieren weiter, und ihre Lizenzen \
        werden noch \
        verlängert.
        """,
        .firstTitle: "Was Sie zuerst versuchen können",
        .firstConnect: "Prüfen Sie, ob das Gerät mit dem Internet verbunden ist.",
        .firstReopen: "Öffnen Sie {marketplace} nach einer Minute noch einmal.",
        .firstOpen: "Öffnen Sie die App {marketplace}. Sie verlängert Lizenzen, die bald ablaufen.",
        .firstStart: "Warten Sie eine Minute und starten Sie {app} dann noch einmal.",
        .showApp: "{app} bei {marketplace} zeigen",
        .statusTitle: "Den Stand Ihrer Geräte ansehen",
        .whyTitle: "Warum sich eine App nicht mehr öffnet",
        .whyText: """
        Jedes Gerät hat eine Lizenz für {app}. Das Gerät verlängert sie selbst, bevor sie abläuft. Gelingt das \
        nicht, öffnet sich die App erst wieder, wenn die Lizenz verlängert ist.
        """,
        .whyExpired: "Die Lizenz ist abgelaufen",
        .whyExpiredText: "Das Gerät war ausgeschaltet oder offline, als die Verlängerung fällig war.",
        .whyEnded: "Ihr Abonnement ist beendet",
        .whyEndedText: """
        Lizenzen gibt es nur, solange es läuft. Verlängern Sie es, damit sich die App wieder öffnet.
        """,
        .whyLimit: "Zu viele Geräte",
        .whyLimitText: """
        Eine App kann auf eine Anzahl von Geräten begrenzt sein. Geben Sie eines frei, um ein anderes zu \
        verwenden.
        """,
        .whyLimitCount: .counted(
            one: """
                Sie können die App auf einem Gerät zugleich verwenden. Geben Sie es frei, um ein anderes zu verwenden.
                """,
            other: """
                Sie können die App auf {count} Geräten zugleich verwenden. Geben Sie eines frei, um ein anderes zu \
                verwenden.
                """),
        .whyStopped: "Der Anbieter hat die Lizenz gesperrt",
        .whyStoppedText: """
        Eine Lizenz kann ausgesetzt oder widerrufen werden. Den Grund nennt Ihnen der Support.
        """,
        .yourApps: "Ihre Apps",
        .appOnDevices: "{app} auf Ihren Geräten",
        .showAll: "Alle Ihre Apps zeigen",
        .noApps: "Dieses Konto hat noch keine Apps.",
        .noDevice: "Zurzeit hat kein Gerät eine Lizenz.",
        .allFine: "Alles ist in Ordnung.",
        .needAttention: .counted(
            one: "Um eine Lizenz müssen Sie sich kümmern.", other: "Um {count} Lizenzen müssen Sie sich kümmern."),
        .expireSoon: .counted(one: "Eine Lizenz läuft bald ab.", other: "{count} Lizenzen laufen bald ab."),
        .devicesInUse: .counted(
            one: "{used} von 1 Gerät in Benutzung.", other: "{used} von {count} Geräten in Benutzung."),
        .roomNone: "Geben Sie eines frei, um ein anderes zu verwenden.",
        .room: .counted(one: "Sie können noch eines verwenden.", other: "Sie können noch {count} verwenden."),
        .olderHidden: .counted(
            one: "1 ältere Lizenz wird nicht gezeigt.", other: "{count} ältere Lizenzen werden nicht gezeigt."),
        .noLicense: "Kein Gerät hat eine Lizenz",
        .notYours: """
        Dieses Konto hat {app} nicht. Holen Sie die App über die Marktplatz-App, oder melden Sie sich mit \
        dem Konto \
        an, zu dem sie gehört.
        """,
        .accessEndedOn: "Der Anbieter hat den Zugang dieses Kontos am {date} beendet.",
        .subscriptionEndedOn: "Ihr Abonnement endete am {date}. Verlängern Sie es in der Marktplatz-App.",
        .canUse: """
        Sie können {app} mit diesem Konto verwenden. Installieren Sie die App über die Marktplatz-App, um \
        ein Gerät \
        zu lizenzieren.
        """,
        .show: "{app} zeigen",
        .device: "Gerät {code}",
        .version: "Version {version}",
        .licensedSince: "Lizenziert seit",
        .lastRenewed: "Zuletzt verlängert",
        .renewalRefused: "Verlängerung abgelehnt",
        .releasedAt: "Freigegeben",
        .stoppedAt: "Gesperrt",
        .expiredAt: "Abgelaufen",
        .expiresAt: "Läuft ab",
        .never: "nie",
        .subscriptionEndedAt: "Abonnement beendet",
        .accessEndedAt: "Zugang beendet",
        .otherDevices: "Andere Geräte",
        .devicesAllowed: "Erlaubte Geräte",
        .otherLimit: "Außerdem ist die App schon auf der größten Anzahl anderer Geräte.",
        .otherWithdrawn: "Außerdem wurde die App zurückgezogen.",
        .otherTooLate: "Außerdem ist die Lizenz schon zu lange abgelaufen, um verlängert zu werden.",
        .otherSubscription: "Außerdem ist Ihr Abonnement beendet.",
        .otherVendor: "Außerdem gibt es ein Problem beim Anbieter.",
        .whatToDo: "Was Sie tun können",
        .renewNow: "Jetzt verlängern",
        .releaseNow: "Ja, freigeben",
        .releaseWarningExpired: """
        Die Lizenz ist abgelaufen und zählt nicht mehr zu Ihrer Höchstzahl. Nach der Freigabe kann sie \
        nicht mehr \
        verlängert werden, und das lässt sich nicht rückgängig machen. Um {app} auf diesem Gerät wieder zu \
        verwenden, installieren Sie die App neu.
        """,
        .releaseWarning: """
        Sie können {app} sofort auf einem anderen Gerät verwenden. Auf diesem öffnet sich die App dann \
        nicht mehr, \
        und das lässt sich nicht rückgängig machen. Um sie hier wieder zu verwenden, installieren Sie sie neu.
        """,
        .releaseWarningUntil: """
        Sie können {app} sofort auf einem anderen Gerät verwenden. Auf diesem öffnet sich die App spätestens ab \
        {date} nicht mehr, und das lässt sich nicht rückgängig machen. Um sie hier wieder zu verwenden, \
        installieren Sie sie neu.
        """,
        .opens: "Öffnet sich",
        .opensForNow: "Öffnet sich noch",
        .closed: "Öffnet sich nicht",
        .released: "Freigegeben",
        .stopped: "Gesperrt",
        .fine: "Alles ist in Ordnung",
        .expired: "Die Lizenz ist abgelaufen",
        .renewalFailed: "Die Verlängerung ist gescheitert",
        .subscriptionEnded: "Ihr Abonnement ist beendet",
        .accessEnded: "Der Zugang ist beendet",
        .notGranted: "Dieses Konto hat die App nicht",
        .deviceLimit: "Zu viele Geräte",
        .withdrawn: "Die App wurde zurückgezogen",
        .tooLate: "Die Lizenz ist schon lange abgelaufen",
        .suspended: "Die Lizenz ist ausgesetzt",
        .revoked: "Die Lizenz wurde widerrufen",
        .deviceReleased: "Dieses Gerät wurde freigegeben",
        .vendorSide: "Die Lizenz kann zurzeit nicht verlängert werden",
        .fineText: "Das Gerät verlängert seine Lizenz von selbst, wenn es online ist.",
        .perpetualText: "Die Lizenz dieses Geräts läuft nie ab.",
        .expiredText: """
        Das Gerät hat seine Lizenz nicht rechtzeitig verlängert. Das geschieht, wenn es am fälligen Tag \
        ausgeschaltet oder offline war oder den Server nicht erreichte. Sie können jetzt eine neue Lizenz \
        erhalten.
        """,
        .renewalFailedText: """
        Das Gerät hat um eine Verlängerung gebeten, und sie wurde abgelehnt. Der Grund ist inzwischen behoben.
        """,
        .subscriptionEndedText: "Lizenzen gibt es nur, solange Ihr Abonnement läuft.",
        .accessEndedText: "Der Anbieter hat den Zugang dieses Kontos zu {app} beendet.",
        .notGrantedText: "{app} wurde diesem Konto nie hinzugefügt oder gehört zu einem anderen Konto.",
        .deviceLimitText: "Die App ist schon auf der größten Anzahl anderer Geräte dieses Kontos.",
        .deviceLimitCount: .counted(
            one: """
                Sie können {app} auf einem Gerät zugleich verwenden. Nachdem die Lizenz dieses Geräts \
                abgelaufen war, \
                erhielt ein anderes Gerät eine.
                """,
            other: """
                Sie können {app} auf {count} Geräten zugleich verwenden. Nachdem die Lizenz dieses Geräts abgelaufen \
                war, erhielt ein anderes Gerät eine.
                """),
        .withdrawnText: "{app} wird nicht mehr angeboten, und die Lizenzen werden nicht mehr verlängert.",
        .tooLateText: "Die Lizenz wurde so lange nicht verlängert, dass dieses Gerät eine neue braucht.",
        .suspendedText: "Der Anbieter hat die Lizenz dieses Geräts ausgesetzt.",
        .revokedText: "Der Anbieter hat die Lizenz dieses Geräts endgültig widerrufen.",
        .deviceReleasedText: "Dieses Gerät wurde freigegeben, damit Sie ein anderes verwenden können.",
        .vendorSideText: "Es gibt ein Problem beim Anbieter. Sie haben nichts falsch gemacht.",
        .expiredHelp: """
        Verbinden Sie das Gerät mit dem Internet, öffnen Sie dort die Marktplatz-App, und starten Sie {app} nach \
        einer Minute noch einmal.
        """,
        .subscriptionHelp: """
        Verlängern Sie Ihr Abonnement in der Marktplatz-App. Dann öffnet sich {app} wieder.
        """,
        .accessHelp: """
        Holen Sie {app} noch einmal über die Marktplatz-App, oder schreiben Sie dem Support, wenn das ein \
        Irrtum ist.
        """,
        .notGrantedHelp: """
        Holen Sie {app} mit diesem Konto über die Marktplatz-App, oder melden Sie sich mit dem Konto an, \
        zu dem die \
        App gehört.
        """,
        .deviceLimitHelp: """
        Geben Sie ein Gerät frei, das Sie nicht mehr verwenden, und tippen Sie dann hier auf „Jetzt verlängern“.
        """,
        .withdrawnHelp: "Fragen Sie den Support, ob sie zurückkommt.",
        .tooLateHelp: """
        Installieren Sie {app} über die Marktplatz-App noch einmal. Sie müssen die App vorher nicht löschen.
        """,
        .suspendedHelp: """
        Den Grund nennt Ihnen der Support. Sobald die Lizenz wieder freigeschaltet ist, öffnen Sie die \
        Marktplatz-App, um sie zu verlängern.
        """,
        .revokedHelp: """
        Den Grund nennt Ihnen der Support. Er kann Ihnen wieder Zugang zu {app} geben.
        """,
        .releasedHelp: """
        Um {app} auf diesem Gerät wieder zu verwenden, installieren Sie die App über die Marktplatz-App.
        """,
        .vendorHelp: """
        Versuchen Sie es morgen wieder. Wenn das Problem bleibt, schreiben Sie dem Support.
        """,
        .changesOn: "Das ändert sich von selbst am {date}.",
        .stopsOn: "Wenn Sie nichts tun, öffnet sich {app} ab {date} nicht mehr.",
    ]
}
