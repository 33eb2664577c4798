import TenureContent
import TenureCore
import TenureServerKit

extension LearnerView {
    /// The card of a course with its items.
    ///
    /// - Parameter number: The position on the page, starting at 1.
    func card(of course: LearnerContents.Course, _ number: Int) -> Markup {
        let name = ElementID("course", number)
        let counted = course.enrolment
        return Tag.article(.class("card"), .labelled(by: name)) {
            Tag.h2(.id(name)) { Tag.bdi { course.title } }
            Tag.dl(.class("facts")) {
                fact(Spoken("Enrolment", "수강")) { standing(of: course) }
                fact(Spoken("Devices", "기기")) {
                    if let limit = counted.deviceLimit {
                        Spoken("\(counted.devices) of \(limit)", "\(limit)대 중 \(counted.devices)대")(in: language)
                    } else {
                        Spoken("\(counted.devices), no limit", "\(counted.devices)대 (제한 없음)")(in: language)
                    }
                }
                if let full = course.full {
                    fact(Spoken("Add a device", "기기 추가")) {
                        if let changes = full.changesAt {
                            Spoken("from ", "가능 시점: ")(in: language)
                            moment(changes)
                        } else {
                            Spoken("after you release one", "다른 기기를 해제하면 가능")(in: language)
                        }
                    }
                }
            }
            list(course.titles, hasHeadings: true)
            if course.titles.count < course.size { more(course.size - course.titles.count) }
        }
    }

    /// The card of items outside courses.
    var others: Markup {
        let name = ElementID("others")
        let heading = contents.courses.isEmpty ? Spoken("Content", "콘텐츠") : Spoken("Other content", "그 밖의 콘텐츠")
        return Tag.article(.class("card"), .labelled(by: name)) {
            Tag.h2(.id(name)) { heading(in: language) }
            list(contents.others, hasHeadings: true)
        }
    }

    private func standing(of course: LearnerContents.Course) -> Markup {
        if let obstacle = course.obstacle { return .text(obstacle.told(in: language)) }
        guard let end = course.enrolment.enrolment.endsAt else {
            return .text(Spoken("active, no end date", "수강 중 (기한 없음)")(in: language))
        }
        return .sequence([.text(Spoken("open until ", "수강 기한: ")(in: language)), moment(end)])
    }

    /// A list of items with their states.
    ///
    /// - Parameters:
    ///   - titles: The items.
    ///   - hasHeadings: Whether each item is a heading. Under a device's heading, they aren't.
    func list(_ titles: [LearnerContents.Title], hasHeadings: Bool) -> Markup {
        Tag.ul(.class("lessons")) {
            for title in titles {
                Tag.li {
                    Tag.div(.class("lesson")) {
                        if hasHeadings { Tag.h3 { Tag.bdi { title.title } } } else { Tag.p { Tag.bdi { title.title } } }
                        mark(title.outlook.state)
                    }
                    told(title)
                }
            }
        }
    }

    private func mark(_ state: ContentOutlook.State) -> Markup {
        let word = state.word(in: language)
        return switch state {
        case .plays: Tag.p(.class("mark good")) { word }
        case .renews: Tag.p(.class("mark warn")) { word }
        case .offered: Tag.p(.class("mark over")) { word }
        case .locked: Tag.p(.class("mark stop")) { word }
        }
    }

    /// The details of an item's state.
    ///
    /// A playable item shows its end and what is left. A locked item shows why, until when, and what helps.
    private func told(_ title: LearnerContents.Title) -> Markup {
        let outlook = title.outlook
        switch outlook.state {
        case .offered: return .nothing
        case .plays:
            return .sequence([
                Tag.p(.class("small soft")) {
                    switch outlook.changesAt {
                    case let end?:
                        Spoken("Until ", "재생 기한: ")(in: language)
                        moment(end)
                    case nil: Spoken("No expiry date", "기한 없음")(in: language)
                    }
                    left(of: title)
                },
                outlook.refusals.isEmpty ? .nothing : reasons(outlook, Self.notRenewed),
            ])
        case .renews, .locked: return reasons(outlook, Self.why)
        }
    }

    private static let why = Spoken("Why", "이유")
    private static let notRenewed = Spoken("Why it won’t be renewed", "이후 갱신되지 않는 이유")

    private func left(of title: LearnerContents.Title) -> String {
        guard let license = title.license else { return "" }
        var parts: [Spoken] = []
        guard license.reportsUse else {
            let limits: [Spoken?] = [
                license.present.terms.plays.map { Spoken("\($0) plays", "재생 횟수 \($0)회") },
                license.present.terms.playSeconds.map { seconds in
                    Spoken("\(seconds.playTime(in: .english)) of play time", "재생 시간 \(seconds.playTime(in: .korean))")
                },
            ]
            let told = limits.compactMap(\.self).map { limit in
                Spoken(
                    "\(limit(in: .english)), usage not reported", "\(limit(in: .korean)) (사용량 보고 없음)")
            }
            return (told + onlineOnly(license)).map { "; " + $0(in: language) }.joined()
        }
        if let plays = license.playsLeft, let granted = license.present.terms.plays {
            parts.append(Spoken("\(plays) of \(granted) plays left", "재생 횟수 \(granted)회 중 \(plays)회 남음"))
        }
        if let seconds = license.secondsLeft {
            let time = seconds.playTime
            parts.append(Spoken("\(time(in: .english)) of play time left", "재생 시간 \(time(in: .korean)) 남음"))
        }
        return (parts + onlineOnly(license)).map { "; " + $0(in: language) }.joined()
    }

    private func onlineOnly(_ license: ContentLicense) -> [Spoken] {
        license.present.terms.onlineRequired ? [Spoken("only while online", "인터넷 연결 시에만")] : []
    }

    private func reasons(_ outlook: ContentOutlook, _ why: Spoken) -> Markup {
        let told = outlook.state == .plays ? outlook.refusals : outlook.reasons
        return Tag.dl(.class("why small")) {
            fact(why) { .text(told.map { $0.told(in: language) }.joined(separator: " ")) }
            if outlook.state != .plays { fact(Spoken("How long", "언제까지")) { until(outlook) } }
            if !outlook.helps.isEmpty {
                fact(Spoken("What to do", "해결 방법")) {
                    .text(
                        outlook.helps.map { $0.words(canRelease: canRelease)(in: language) }.joined(separator: " "))
                }
            }
        }
    }

    /// When the item can be played again.
    private func until(_ outlook: ContentOutlook) -> Markup {
        if outlook.state == .renews {
            return .text(Spoken("Until the device connects to the server.", "기기가 서버에 연결할 때까지")(in: language))
        }
        if let changes = outlook.changesAt { return moment(changes) }
        if outlook.obstacles.contains(where: { $0.code == .contentLicenseRevoked }) {
            return .text(Spoken("Permanently for this enrolment.", "이 수강에서는 다시 재생할 수 없습니다.")(in: language))
        }
        return .text(
            outlook.helps.contains(.release)
                ? Spoken("Until a device is released.", "기기를 해제할 때까지")(in: language)
                : Spoken("Until the vendor changes it.", "판매자가 변경할 때까지")(in: language))
    }

    func more(_ count: Int) -> Markup {
        Tag.p(.class("small soft")) { Spoken("\(count) more aren’t shown.", "\(count)개는 표시되지 않았습니다.")(in: language) }
    }
}
