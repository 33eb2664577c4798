import TenureCore
import Testing

/// Tests the rules of every state chart on an invented chart.
@Suite struct StateChartTests {
    enum Lamp: CaseIterable {
        case on, dim, locked, broken, sold
    }

    private static let (locked, broken, sold) = (
        Reason(.licenseSuspended, message: "It is locked."), Reason(.licenseRevoked, message: "It is broken."),
        Reason(.licenseReturned, message: "It is sold.")
    )
    private static let chart = StateChart<Lamp>(
        .final(.broken, broken), .reversible(.locked, locked), .final(.sold, sold))

    @Test(arguments: [
        (Lamp.on, nil, nil), (.dim, nil, nil), (.locked, locked, nil), (.broken, broken, broken), (.sold, sold, sold),
    ])
    func `a state chart reports a reversible state as stopped, a final one as stopped and ended, and others as open`(
        state: Lamp, stop: Reason?, end: Reason?
    ) {
        #expect(Self.chart.stop(in: state) == stop)
        #expect(Self.chart.isOpen(state) == (stop == nil))
        #expect(Self.chart.end(in: state)?.reasons == end.map { [$0] })
        #expect(Self.chart.isFinal(state) == (end != nil))
    }

    private static let steps: [(from: Lamp, to: Lamp, onlyOutOf: Lamp?, StateChart<Lamp>.Step)] = [
        (.on, .locked, nil, .moves), (.on, .broken, nil, .moves), (.locked, .sold, nil, .moves),
        (.locked, .locked, nil, .stays), (.broken, .broken, nil, .stays),
        (.broken, .locked, nil, .refused(Refusal(broken))), (.sold, .broken, nil, .refused(Refusal(sold))),
        (.locked, .on, .locked, .moves), (.on, .on, .locked, .stays), (.dim, .on, .locked, .stays),
        (.broken, .on, .locked, .refused(Refusal(broken))),
    ]

    @Test(arguments: steps)
    func `only an action that would leave a final state is refused, with the reason of that state`(
        from: Lamp, to: Lamp, onlyOutOf: Lamp?, step: StateChart<Lamp>.Step
    ) {
        #expect(Self.chart.step(from: from, to: to, onlyOutOf: onlyOutOf) == step)
    }
}
