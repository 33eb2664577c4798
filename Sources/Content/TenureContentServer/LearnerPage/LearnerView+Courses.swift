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
                Tag.fact(say(.enrolment)) { summary(of: course) }
                Tag.fact(say(.devices)) {
                    if let limit = counted.deviceLimit {
                        say(.devicesOf, ["devices": String(counted.devices), "limit": String(limit)])
                    } else {
                        say(.devicesUnlimited, ["devices": String(counted.devices)])
                    }
                }
                if let full = course.full {
                    Tag.fact(say(.addDevice)) {
                        if let changes = full.changesAt {
                            dated(.fromDate, changes)
                        } else {
                            say(.afterRelease)
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
        let heading: LearnerPageText = contents.courses.isEmpty ? .content : .otherContent
        return Tag.article(.class("card"), .labelled(by: name)) {
            Tag.h2(.id(name)) { say(heading) }
            list(contents.others, hasHeadings: true)
        }
    }

    private func summary(of course: LearnerContents.Course) -> Markup {
        if let obstacle = course.obstacle { return .text(obstacle.sentence(in: frame.locale)) }
        guard let end = course.enrolment.enrolment.endsAt else {
            return .text(say(.activeNoEnd))
        }
        return dated(.openUntil, end)
    }

    /// A list of items with their states; items with the same state, reasons and remedies share one entry.
    ///
    /// - Parameters:
    ///   - titles: The items.
    ///   - hasHeadings: Whether each item is a heading. Under a device's heading, they aren't.
    func list(_ titles: [LearnerContents.Title], hasHeadings: Bool) -> Markup {
        Tag.ul(.class("lessons")) {
            for group in groups(of: titles) {
                Tag.li {
                    Tag.div(.class("lesson")) {
                        Tag.div(.class("titles")) {
                            for title in group.titles {
                                if hasHeadings { Tag.h3 { Tag.bdi { title } } } else { Tag.p { Tag.bdi { title } } }
                            }
                        }
                        mark(group.state)
                    }
                    group.details
                }
            }
        }
    }

    /// Items for which the page shows the same text.
    private struct Group {
        let state: ContentOutlook.State
        let details: Markup
        var titles: [String]
    }

    /// Groups items by the text that the page shows for them; locked items come first, then those to renew, playable
    /// ones, and those that no device has.
    private func groups(of titles: [LearnerContents.Title]) -> [Group] {
        var groups: [Group] = []
        var places: [Markup: [ContentOutlook.State: Int]] = [:]
        for title in titles {
            let (state, details) = (title.outlook.state, details(title))
            if let index = places[details]?[state] {
                groups[index].titles.append(title.title)
            } else {
                places[details, default: [:]][state] = groups.count
                groups.append(Group(state: state, details: details, titles: [title.title]))
            }
        }
        let order: [ContentOutlook.State] = [.locked, .renews, .plays, .offered]
        return order.flatMap { state in groups.filter { $0.state == state } }
    }

    private func mark(_ state: ContentOutlook.State) -> Markup {
        let label = say(state.label)
        return switch state {
        case .plays: Tag.p(.class("mark good")) { label }
        case .renews: Tag.p(.class("mark warn")) { label }
        case .offered: Tag.p(.class("mark over")) { label }
        case .locked: Tag.p(.class("mark stop")) { label }
        }
    }

    /// The details of an item's state.
    ///
    /// A playable item shows its end and what is left. A locked item shows why, until when, and what helps.
    private func details(_ title: LearnerContents.Title) -> Markup {
        let outlook = title.outlook
        switch outlook.state {
        case .offered: return .nothing
        case .plays:
            return .sequence([
                Tag.p(.class("small soft")) {
                    switch outlook.changesAt {
                    case let end?:
                        dated(.untilDate, end)
                    case nil: say(.noExpiry)
                    }
                    left(of: title)
                },
                outlook.refusals.isEmpty ? .nothing : reasons(outlook, .whyNotRenewed),
            ])
        case .renews, .locked: return reasons(outlook, .why)
        }
    }

    /// A sentence with a date, followed by how far it is from now.
    private func dated(_ text: LearnerPageText, _ date: Timestamp) -> Markup {
        text.markup(in: language, with: ["date": time(date)])
    }

    private func left(of title: LearnerContents.Title) -> String {
        guard let license = title.license else { return "" }
        let terms = license.present.terms
        var parts: [String] = []
        if license.reportsUse {
            if let plays = license.playsLeft, let granted = terms.plays {
                parts.append(say(.playsLeft, ["left": String(plays), "granted": String(granted)]))
            }
            if let seconds = license.secondsLeft {
                parts.append(say(.playTimeLeft, ["time": seconds.playTime(in: language)]))
            }
        } else {
            let limits = [
                terms.plays.map { say(.plays, count: Int(clamping: $0)) },
                terms.playSeconds.map { say(.playTime, ["time": $0.playTime(in: language)]) },
            ]
            parts = limits.compactMap(\.self).map { say(.notReported, ["limit": $0]) }
        }
        if terms.onlineRequired { parts.append(say(.onlineOnly)) }
        return parts.map { say(.detail, ["detail": $0]) }.joined()
    }

    private func reasons(_ outlook: ContentOutlook, _ why: LearnerPageText) -> Markup {
        let reasons = outlook.state == .plays ? outlook.refusals : outlook.reasons
        return Tag.dl(.class("why small")) {
            Tag.fact(say(why)) { .text(language.row(reasons.map { $0.sentence(in: frame.locale) })) }
            if outlook.state != .plays { Tag.fact(say(.howLong)) { until(outlook) } }
            if !outlook.helps.isEmpty {
                Tag.fact(say(.whatToDo)) {
                    .text(language.row(outlook.helps.map { say($0.words(canRelease: canRelease)) }))
                }
            }
        }
    }

    /// When the item can be played again, or what must happen first.
    private func until(_ outlook: ContentOutlook) -> Markup {
        if outlook.state == .renews {
            return .text(say(.untilConnects))
        }
        if let changes = outlook.changesAt { return time(changes) }
        if outlook.obstacles.contains(where: { $0.code == .contentLicenseRevoked }) {
            return .text(say(.permanently))
        }
        return .text(say(outlook.helps.contains(.release) ? .untilReleased : .untilChanged))
    }

    func more(_ count: Int) -> Markup {
        Tag.p(.class("small soft")) { say(.more, count: count) }
    }
}
