import TenureContent
import TenureCore
import TenureServerKit

/// The texts of the learner page, by reason code and language.
extension Reason {
    /// The reason as a sentence for the holder, with dates formatted for people.
    func told(in language: PageLanguage) -> String { words(in: language)?(in: language) ?? message }

    /// The sentence in both languages; `nil` for reasons that the learner page doesn't show.
    func words(in language: PageLanguage) -> Spoken? {
        stopWords ?? limitWords(language) ?? enrolmentWords(language) ?? renewalWords(language)
    }

    /// Sentences about stopped licenses.
    private var stopWords: Spoken? {
        switch code {
        case .contentLicenseDeleted:
            Spoken("The vendor had it deleted from the device.", "판매자가 기기에서 콘텐츠를 삭제하도록 했습니다.")
        case .contentLicenseRevoked: Spoken("The vendor revoked its license.", "판매자가 라이선스를 회수했습니다.")
        case .contentLicenseExpired: Spoken("The vendor ended its license.", "판매자가 라이선스를 종료했습니다.")
        case .contentLicenseReturned: Spoken("Its license was returned.", "라이선스가 반납되었습니다.")
        case .deviceReleased: Spoken("The device was released.", "기기가 해제되었습니다.")
        case .contentLicenseUnknown:
            Spoken("The server doesn't know its license.", "서버에 없는 라이선스입니다.")
        default: nil
        }
    }

    /// Sentences about limits that were reached.
    private func limitWords(_ language: PageLanguage) -> Spoken? {
        switch code {
        case .grantNotStarted:
            let start = date("notBefore", language)
            return Spoken("It starts on \(start).", "\(start)부터 재생할 수 있습니다.")
        case .grantExpired:
            let end = date("expiredAt", language)
            return Spoken("It expired on \(end).", "재생 기한이 \(end)에 지났습니다.")
        case .playWindowOver:
            let end = date("endedAt", language)
            return Spoken("The time since its first play ran out on \(end).", "첫 재생 이후의 이용 시간이 \(end)에 끝났습니다.")
        case .playsUsedUp:
            let plays = number("granted")
            return Spoken(
                plays == 1 ? "Its only play has been used." : "All \(plays) plays have been used.",
                "재생 횟수 \(plays)회를 모두 사용했습니다.")
        case .playTimeUsedUp:
            let time = number("grantedSeconds").playTime
            return Spoken(
                "All play time has been used: \(time(in: .english)).", "재생 시간 \(time(in: .korean))을 모두 사용했습니다.")
        case .checkInOverdue:
            let end = date("checkInBy", language)
            return Spoken("Its device had to connect to the server by \(end).", "기기가 \(end)까지 서버에 연결해야 했습니다.")
        case .playerExpired:
            let moment = date("reportedAt", language)
            return Spoken(
                "Its player reported on \(moment) that it had expired.", "플레이어가 \(moment)에 만료되었다고 알려 왔습니다.")
        case .onlineNeeded:
            return Spoken("It plays only while connected to the internet.", "인터넷에 연결되어 있을 때만 재생됩니다.")
        case .contentClockSetBack:
            return Spoken("The clock of the device was set back.", "기기의 시계가 과거로 변경되었습니다.")
        default: return nil
        }
    }

    private func enrolmentWords(_ language: PageLanguage) -> Spoken? {
        switch code {
        case .enrolmentUnknown: return Spoken("None of your enrolments covers it.", "수강 중인 과정에 포함되어 있지 않습니다.")
        case .enrolmentPaused: return Spoken("Your enrolment is paused.", "수강이 일시 중지되었습니다.")
        case .enrolmentEnded:
            guard fact("endedAt") != nil else { return Spoken("Your enrolment has ended.", "수강이 종료되었습니다.") }
            let end = date("endedAt", language)
            return Spoken("Your enrolment ended on \(end).", "수강이 \(end)에 종료되었습니다.")
        case .enrolmentNotStarted:
            let start = date("startsAt", language)
            return Spoken("Your enrolment starts on \(start).", "수강이 \(start)에 시작됩니다.")
        case .deviceLimitReached:
            let (devices, limit) = (number("devices"), number("deviceLimit"))
            return Spoken(
                "\(devices) of \(limit) devices are in use.", "기기 \(limit)대 중 \(devices)대를 사용 중입니다.")
        default: return nil
        }
    }

    /// Sentences about refused renewals.
    private func renewalWords(_ language: PageLanguage) -> Spoken? {
        switch code {
        case .notRenewable: return Spoken("It can't be renewed.", "갱신되지 않는 콘텐츠입니다.")
        case .renewalOver:
            guard fact("renewUntil") != nil else {
                let renewals = number("renewals")
                return Spoken(
                    renewals == 1
                        ? "It has been renewed once, which is the limit."
                        : "It has been renewed \(renewals) times, which is the limit.",
                    "갱신할 수 있는 횟수(\(renewals)회)를 모두 사용했습니다.")
            }
            let end = date("renewUntil", language)
            return Spoken("It could be renewed until \(end).", "갱신 기한이 \(end)에 지났습니다.")
        case .grantNeeded:
            return Spoken("Its device has a newer license than the server.", "기기의 라이선스가 서버보다 최신입니다.")
        default: return nil
        }
    }

    /// Why a device wasn't released, in sentences for the holder.
    func toldOfRelease(in language: PageLanguage) -> [String] {
        let next = changesAt?.forPeople(in: language) ?? ""
        let isWait = code == .selfReleaseCooldown || code == .selfReleaseUsedUp
        let first: Spoken =
            switch code {
            case .selfReleaseCooldown:
                Spoken(
                    "You released a device recently. You may release another one from \(next).",
                    "최근에 기기를 해제했습니다. 다음 기기는 \(next)부터 해제할 수 있습니다.")
            case .selfReleaseUsedUp:
                Spoken(
                    "You have used all device releases for this year. You may release another one from \(next).",
                    "1년 동안의 해제 횟수를 모두 사용했습니다. 다음 기기는 \(next)부터 해제할 수 있습니다.")
            default:
                Spoken(
                    "Only support can release devices here. Write to support and name the device.",
                    "기기 해제는 고객센터에서 처리합니다. 기기 이름과 함께 문의하세요.")
            }
        let last = Spoken("If you can't wait, write to support.", "기다리기 어려우시면 고객센터에 문의하세요.")
        return [first(in: language)] + (isWait ? [last(in: language)] : [])
    }

    private func fact(_ name: String) -> Evidence.Value? { evidence.first { $0.name == name }?.value }

    private func date(_ name: String, _ language: PageLanguage) -> String {
        if case .date(let moment)? = fact(name) { moment.forPeople(in: language) } else { "?" }
    }

    private func number(_ name: String) -> Int64 { if case .number(let number)? = fact(name) { number } else { 0 } }
}

extension ContentOutlook.Help {
    /// The advice to the holder, worded for the learner page.
    ///
    /// - Parameter canRelease: Whether the holder may release a device now; otherwise support must do it.
    func words(canRelease: Bool) -> Spoken {
        switch self {
        case .connect:
            Spoken(
                "Connect the device to the internet and open it there. It renews automatically.",
                "기기를 인터넷에 연결하고 그 기기에서 여세요. 자동으로 갱신됩니다.")
        case .wait: Spoken("You don't have to do anything.", "따로 하실 일은 없습니다.")
        case .release:
            canRelease
                ? Spoken("Release a device that you no longer use, below.", "아래에서 더 이상 쓰지 않는 기기를 해제하세요.")
                : Spoken("Ask support to release a device that you no longer use.", "더 이상 쓰지 않는 기기의 해제를 고객센터에 요청하세요.")
        case .setClock:
            Spoken("Correct the device's clock, or connect it to the internet once.", "기기의 시계를 맞추거나 인터넷에 한 번 연결하세요.")
        case .vendor:
            Spoken(
                "Write to support and include the reference at the end of this page.",
                "이 페이지 아래의 문의 번호와 함께 고객센터에 문의하세요.")
        }
    }
}

extension ContentOutlook.State {
    /// The label next to an item.
    var word: Spoken {
        switch self {
        case .plays: Spoken("Playable", "재생 가능")
        case .renews: Spoken("Needs renewal", "갱신 필요")
        case .offered: Spoken("Not downloaded", "다운로드 가능")
        case .locked: Spoken("Locked", "잠김")
        }
    }
}

extension Int64 {
    /// A number of seconds as a duration for people.
    var playTime: Spoken {
        let (hours, minutes, seconds) = (self / 3600, self / 60 % 60, self % 60)
        let parts: [(Int64, String, String)] = [(hours, "h", "시간"), (minutes, "min", "분"), (seconds, "s", "초")]
        let told = parts.filter { $0.0 != 0 }
        if told.isEmpty { return Spoken("0 s", "0초") }
        return Spoken(
            told.map { "\($0.0) \($0.1)" }.joined(separator: " "), told.map { "\($0.0)\($0.2)" }.joined(separator: " "))
    }
}
