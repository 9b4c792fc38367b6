<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>BarText</name>
    <message>
        <source>multiply</source>
        <translation>计算</translation>
    </message>
    <message>
        <source>launch</source>
        <translation>启动</translation>
    </message>
    <message>
        <source>synchronization</source>
        <translation>同步</translation>
    </message>
    <message>
        <source>transfer</source>
        <translation>传输</translation>
    </message>
    <message>
        <source>copy slices</source>
        <translation>拷贝切片</translation>
    </message>
    <message>
        <source>%1, copy %2 of %3</source>
        <translation>%1，副本 %2/%3</translation>
    </message>
    <message>
        <source>lasts %1, from %2 to %3</source>
        <translation>持续 %1，从 %2 到 %3</translation>
    </message>
    <message>
        <source>%1 at %2, %3 of the link&apos;s peak</source>
        <translation>%1，速率 %2，为链路峰值的 %3</translation>
    </message>
    <message>
        <source>%1; with its synchronization %2, %3</source>
        <translation>%1；计入同步后为 %2，%3</translation>
    </message>
    <message>
        <source>a ring folded onto a line: what travels back shares these links</source>
        <translation>环折叠在一条线上：折返的数据与其共用这些链路</translation>
    </message>
    <message>
        <source>the %1 is dead: this goes round by the %2s, which share it with their own traffic</source>
        <translation>%1已断开：数据绕行%2，与那里自身的流量共用带宽</translation>
    </message>
    <message>
        <source>synchronization %1 + %2 / %3 = %4</source>
        <translation>同步 %1 + %2 / %3 = %4</translation>
    </message>
    <message>
        <source>one step: %1</source>
        <translation>每一步：%1</translation>
    </message>
    <message>
        <source>fed by the GEMM: sent as soon as it is made, without a synchronization</source>
        <translation>由 GEMM 送入：一算出就发送，无需同步</translation>
    </message>
    <message>
        <source>stage %1 of %2</source>
        <translation>第 %1 阶段，共 %2 阶段</translation>
    </message>
    <message>
        <source>%1: writes what it has made</source>
        <translation>%1：写出所算的结果</translation>
    </message>
    <message>
        <source>%1: %2 at %3, %4 of the chip&apos;s peak</source>
        <translation>%1：%2，速率 %3，为芯片峰值的 %4</translation>
    </message>
    <message>
        <source>%1, piece %2 of %3</source>
        <translation>%1，第 %2 块，共 %3 块</translation>
    </message>
    <message>
        <source>one step without faults: %1</source>
        <translation>无故障时每一步：%1</translation>
    </message>
    <message>
        <source>%1 at %2, %3 of the chip&apos;s peak</source>
        <translation>%1，速率 %2，为芯片峰值的 %3</translation>
    </message>
    <message>
        <source>as measured: %1</source>
        <translation>实测值：%1</translation>
    </message>
    <message>
        <source>tile by tile, while copies and links use the memory too</source>
        <translation>按分块计算；拷贝与链路同时也在访问内存</translation>
    </message>
    <message>
        <source>%1 / (%2 × %3 that large GEMMs reach) = %4</source>
        <translation>%1 / (%2 × 大 GEMM 可达到的 %3) = %4</translation>
    </message>
    <message>
        <source>bound by memory: %1 from and to HBM / %2 = %3, longer than %4</source>
        <translation>受内存限制：读写 HBM %1 / %2 = %3，长于 %4</translation>
    </message>
    <message>
        <source>without faults: %1</source>
        <translation>无故障时：%1</translation>
    </message>
    <message>
        <source>%1, step %2 of %3 of the ring</source>
        <translation>%1，环上第 %2 步，共 %3 步</translation>
    </message>
    <message>
        <source>paid once for each operation: %1</source>
        <translation>每次操作只付一次：%1</translation>
    </message>
    <message>
        <source>blocks of B rows or columns, gathered in memory before the links move them, or put back after</source>
        <translation>以 B 行或 B 列为一块，先在内存中聚拢再由链路传输，或在传输后写回</translation>
    </message>
    <message>
        <source>%1 bars merge in this pixel</source>
        <translation>此像素内合并了 %1 个条块</translation>
    </message>
    <message>
        <source>%1 wide, busy for %2 of it; zoom in (W, or Ctrl and the wheel) to see them one by one</source>
        <translation>宽 %1，其中 %2 的时间忙碌；放大后可逐个查看（W 键，或 Ctrl + 滚轮）</translation>
    </message>
    <message>
        <source>the longest of them:</source>
        <translation>其中最长的：</translation>
    </message>
    <message>
        <source>the core waits: exposed communication</source>
        <translation>核心在等待：通信暴露</translation>
    </message>
    <message>
        <source>this copy: %1 exposed of %2 (mean of all chips)</source>
        <translation>本副本：通信 %2，其中暴露 %1（所有芯片的平均值）</translation>
    </message>
    <message>
        <source>this GEMM: %1 exposed of %2 (mean of all chips)</source>
        <translation>本 GEMM：通信 %2，其中暴露 %1（所有芯片的平均值）</translation>
    </message>
    <message>
        <source>%1 of shape M×N×K = %2, in %3 slices</source>
        <translation>%1，形状 M×N×K = %2，分 %3 个切片</translation>
    </message>
    <message>
        <source>%1 copies, one after the other</source>
        <translation>%1 个副本，依次执行</translation>
    </message>
    <message>
        <source>lasts %1, from %2 (by the closed form: %3)</source>
        <translation>持续 %1，从 %2 开始（闭式公式：%3）</translation>
    </message>
    <message>
        <source>the start</source>
        <translation>起点</translation>
    </message>
    <message>
        <source>estimated only: there is no timeline of it</source>
        <translation>仅有估算：没有时间线</translation>
    </message>
    <message>
        <source>Simulating every chip and link would take too long or too much memory.</source>
        <translation>仿真每个芯片和每条链路耗时过长，或内存不够。</translation>
    </message>
    <message>
        <source>This run was estimated, not simulated: there are times, but no bars to draw. %1</source>
        <translation>本次运行只做了估算，没有仿真：有时间，但没有可画的条块。%1</translation>
    </message>
    <message>
        <source>forward</source>
        <translation>前向</translation>
    </message>
    <message>
        <source>fwd</source>
        <translation>前向</translation>
    </message>
    <message>
        <source>backward data</source>
        <translation>反向（数据）</translation>
    </message>
    <message>
        <source>bwd data</source>
        <translation>反向数据</translation>
    </message>
    <message>
        <source>data</source>
        <translation>数据</translation>
    </message>
    <message>
        <source>backward weight</source>
        <translation>反向（权重）</translation>
    </message>
    <message>
        <source>bwd weight</source>
        <translation>反向权重</translation>
    </message>
    <message>
        <source>weight</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>%1, stage %2 of %3</source>
        <translation>%1，阶段 %2/%3</translation>
    </message>
    <message>
        <source>add up</source>
        <translation>求和</translation>
    </message>
    <message>
        <source>what arrived last is added up by the compute units: two chunks are read and one is written</source>
        <translation>最后到达的部分由计算单元求和：读取两个块，写入一个块</translation>
    </message>
    <message>
        <source>%1, slice %2 of %3</source>
        <translation>%1，第 %2/%3 个切片</translation>
    </message>
</context>
<context>
    <name>Chart</name>
    <message>
        <source>● ours      ○ published: %1</source>
        <translation>● 本程序      ○ 已发表：%1</translation>
    </message>
    <message>
        <source>does not run</source>
        <translation>无法运行</translation>
    </message>
</context>
<context>
    <name>ClusterPictureWords</name>
    <message>
        <source>Tensor parallel</source>
        <translation>张量并行</translation>
    </message>
    <message>
        <source>Data parallel</source>
        <translation>数据并行</translation>
    </message>
    <message>
        <source>Pipeline</source>
        <translation>流水线</translation>
    </message>
    <message>
        <source>%1: one stage, nothing to send.</source>
        <translation>%1：只有一级，无需发送。</translation>
    </message>
    <message>
        <source>%1: one chip, nothing to send.</source>
        <translation>%1：只有一个芯片，无需发送。</translation>
    </message>
    <message>
        <source>%1 of the step is spent waiting for it.</source>
        <translation>每步中有 %1 用于等待它。</translation>
    </message>
    <message>
        <source>%1 stages</source>
        <translation>%1 级</translation>
    </message>
    <message>
        <source>%1 chips</source>
        <translation>%1 个芯片</translation>
    </message>
    <message>
        <source>%1: %2; a chip sends %3 a step. %4</source>
        <translation>%1：%2；每个芯片每步发送 %3。%4</translation>
    </message>
    <message>
        <source>%1: %2. %3</source>
        <translation>%1：%2。%3</translation>
    </message>
    <message>
        <source>%1: %2, %3 on each torus; of the %4 that a chip sends a step, %5 cross the network between the tori, at %6 per chip. %7</source>
        <translation>%1：%2，每个环面上 %3；每块芯片每步发送 %4，其中 %5 经过环面之间的网络，每块芯片 %6。%7</translation>
    </message>
    <message>
        <source>%1: %2, all in one fast domain; a chip sends %3 a step, at %4. %5</source>
        <translation>%1：%2，都在一个快速域内；每个芯片每步发送 %3，速率 %4。%5</translation>
    </message>
    <message>
        <source>%1: %2, %3 in each fast domain; of the %4 that a chip sends a step, %5 cross the slow network, at %6 per chip. %7</source>
        <translation>%1：%2，每个快速域内 %3 个；每个芯片每步发送 %4，其中 %5 经过慢速网络，每芯片速率 %6。%7</translation>
    </message>
    <message>
        <source>domain %1 of %2</source>
        <translation>快速域 %1 / %2</translation>
    </message>
    <message>
        <source>Groups along the axes of the torus: %1</source>
        <translation>各组沿环面各轴的分布：%1</translation>
    </message>
    <message>
        <source>Nothing crosses the slow network: all groups stand in one fast domain.</source>
        <translation>没有数据经过慢速网络：所有组都在一个快速域内。</translation>
    </message>
    <message>
        <source>%1 of the %2 that a chip sends in a step cross the slow network (%3), most of it %4.</source>
        <translation>每个芯片每步发送的 %2 中有 %1（%3）经过慢速网络，主要是%4。</translation>
    </message>
    <message>
        <source>tensor parallel</source>
        <translation>张量并行</translation>
    </message>
    <message>
        <source>data parallel</source>
        <translation>数据并行</translation>
    </message>
    <message>
        <source>between stages of the pipeline</source>
        <translation>流水线各级之间的传输</translation>
    </message>
    <message>
        <source>the selected chip</source>
        <translation>所选芯片</translation>
    </message>
    <message>
        <source>same tensor-parallel group</source>
        <translation>同一张量并行组</translation>
    </message>
    <message>
        <source>same data-parallel group: holds the same weights</source>
        <translation>同一数据并行组：持有相同的权重</translation>
    </message>
    <message>
        <source>neighbouring stage of the pipeline</source>
        <translation>流水线的相邻级</translation>
    </message>
    <message>
        <source>another stage of the same pipeline</source>
        <translation>同一流水线的另一级</translation>
    </message>
    <message>
        <source>shares no group with the selected chip</source>
        <translation>与所选芯片不在任何同一组</translation>
    </message>
    <message>
        <source>tensor parallel: %1 of %2</source>
        <translation>张量并行：%1 / %2</translation>
    </message>
    <message>
        <source>data parallel: %1 of %2</source>
        <translation>数据并行：%1 / %2</translation>
    </message>
    <message>
        <source>stage %1 of %2</source>
        <translation>第 %1 级，共 %2 级</translation>
    </message>
    <message>
        <source>%1; %2 more chips are not drawn</source>
        <translation>%1；另有 %2 个芯片未画出</translation>
    </message>
    <message>
        <source>Framed: the selected chip. T: its tensor-parallel group; D: same weights; numbers: its pipeline&apos;s stages. Click another chip to see its groups.</source>
        <translation>带框：所选芯片。T：其张量并行组；D：权重相同；数字：其流水线的各级。点击其他芯片可查看其各组。</translation>
    </message>
    <message>
        <source>Outlined: chips of other groups.</source>
        <translation>空心：其他组的芯片。</translation>
    </message>
    <message>
        <source>The fast domain of the selected chip, one of %1</source>
        <translation>所选芯片所在的快速域，共 %1 个</translation>
    </message>
    <message>
        <source>%1: one more domain, across the slow network</source>
        <translation>%1：另有一个域，须经过慢速网络</translation>
    </message>
    <message>
        <source>%1: %2 more domains, across the slow network</source>
        <translation>%1：另有 %2 个域，须经过慢速网络</translation>
    </message>
    <message>
        <source>%1; the nearest %2 are drawn</source>
        <translation>%1；画出最近的 %2 个</translation>
    </message>
    <message>
        <source>%1: %2, each in another fast domain; all of the %3 that a chip sends a step cross the slow network, at %4 per chip. %5</source>
        <translation>%1：%2，各在不同的快速域内；每个芯片每步发送的 %3 全部经过慢速网络，每芯片速率 %4。%5</translation>
    </message>
    <message>
        <source>plane %1 of %2</source>
        <translation>平面 %1 / %2</translation>
    </message>
    <message>
        <source>%1, and a network between %2 of them</source>
        <translation>%1，共 %2 个，由网络相连</translation>
    </message>
    <message>
        <source>torus %1 of %2</source>
        <translation>环面 %1/%2</translation>
    </message>
    <message>
        <source>Torus of %1 x %2 chips</source>
        <translation>%1 x %2 个芯片的环面</translation>
    </message>
    <message>
        <source>Torus of %1 x %2 x %3 chips</source>
        <translation>%1 x %2 x %3 个芯片的环面</translation>
    </message>
    <message>
        <source>same tensor-parallel and same data-parallel group: holds the same weights</source>
        <translation>同一张量并行组，也是同一数据并行组：持有相同的权重</translation>
    </message>
</context>
<context>
    <name>Examples</name>
    <message>
        <source>Training of %1</source>
        <translation>训练 %1</translation>
    </message>
    <message>
        <source>Serving %1</source>
        <translation>部署 %1</translation>
    </message>
    <message>
        <source>One GEMM of %1 × %2 × %3</source>
        <translation>一个 GEMM：%1 × %2 × %3</translation>
    </message>
    <message>
        <source>%1 chips</source>
        <translation>%1 个芯片</translation>
    </message>
    <message>
        <source>A: %1, B: %2. %3</source>
        <translation>A：%1，B：%2。%3</translation>
    </message>
</context>
<context>
    <name>Faults</name>
    <message>
        <source>What if it had half its speed?</source>
        <translation>如果速度减半？</translation>
    </message>
    <message>
        <source>What if it had a tenth of its speed?</source>
        <translation>如果速度只剩十分之一？</translation>
    </message>
    <message>
        <source>What if it were dead?</source>
        <translation>如果断开？</translation>
    </message>
    <message>
        <source>Make it healthy again</source>
        <translation>恢复正常</translation>
    </message>
</context>
<context>
    <name>FigurePage</name>
    <message>
        <source>One column of a paper</source>
        <translation>论文单栏</translation>
    </message>
    <message>
        <source>Two columns of a paper</source>
        <translation>论文双栏</translation>
    </message>
    <message>
        <source>A report</source>
        <translation>报告</translation>
    </message>
    <message>
        <source>A slide</source>
        <translation>幻灯片</translation>
    </message>
</context>
<context>
    <name>Finding</name>
    <message>
        <source>The core waits %1 of the time with %2, %3 with %4</source>
        <translation>核心在 %2 下有 %1 的时间在等待，在 %4 下有 %3</translation>
    </message>
</context>
<context>
    <name>Lineup</name>
    <message>
        <source>None of the algorithms runs this GEMM here</source>
        <translation>没有算法能在这里运行这个 GEMM</translation>
    </message>
    <message>
        <source>Only %1 runs here: %2</source>
        <translation>这里只有 %1 能运行：%2</translation>
    </message>
    <message>
        <source>%1 and %2 are the fastest, both %3</source>
        <translation>%1 和 %2 最快，都是 %3</translation>
    </message>
    <message>
        <source>%1 is fastest: %2, %3 takes %4 times as long</source>
        <translation>%1 最快：%2；%3 的用时是它的 %4 倍</translation>
    </message>
    <message>
        <source>1/%1 of C</source>
        <translation>C 的 1/%1</translation>
    </message>
    <message>
        <source>all of C</source>
        <translation>整个 C</translation>
    </message>
    <message>
        <source>; %1 leaves each chip %2, %3 %4</source>
        <translation>；%1 使每个芯片得到%2，%3 则为%4</translation>
    </message>
    <message>
        <source>fastest</source>
        <translation>最快</translation>
    </message>
    <message>
        <source>%1×</source>
        <translation>%1×</translation>
    </message>
    <message>
        <source>does not run here: %1</source>
        <translation>在这里无法运行：%1</translation>
    </message>
    <message>
        <source>%1 of peak</source>
        <translation>峰值的 %1</translation>
    </message>
    <message>
        <source>ring of %1</source>
        <translation>%1 芯片环</translation>
    </message>
    <message>
        <source>S = %1</source>
        <translation>S = %1</translation>
    </message>
    <message>
        <source>waits %1</source>
        <translation>等待 %1</translation>
    </message>
    <message>
        <source>core</source>
        <translation>核心</translation>
    </message>
    <message>
        <source>M × N × K = %1 × %2 × %3, %4 stays in place</source>
        <translation>M × N × K = %1 × %2 × %3，%4 留在原处</translation>
    </message>
    <message>
        <source>%1, on %2</source>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>%1, on %2; what chip %3 does</source>
        <translation>%1，%2；芯片 %3 的动作</translation>
    </message>
    <message>
        <source>%1: %2, on %3; what chip %4 does</source>
        <translation>%1：%2，%3；芯片 %4 的动作</translation>
    </message>
    <message>
        <source>prologue: %1</source>
        <translation>前导：%1</translation>
    </message>
    <message>
        <source>everything before the loop&apos;s first multiplication</source>
        <translation>循环中第一次乘法之前的全部操作</translation>
    </message>
    <message>
        <source>by the closed form</source>
        <translation>按闭式公式</translation>
    </message>
    <message>
        <source>epilogue: %1</source>
        <translation>收尾：%1</translation>
    </message>
    <message>
        <source>the last multiplication and everything after it</source>
        <translation>最后一次乘法及其后的全部操作</translation>
    </message>
    <message>
        <source>steady state: %1</source>
        <translation>稳态：%1</translation>
    </message>
    <message>
        <source>%1 iterations of %2 each, paced by the slowest of core and links</source>
        <translation>%1 次迭代，每次 %2，节奏由核心与链路中最慢者决定</translation>
    </message>
    <message>
        <source>communication %1, of which %2 behind multiplication; the core waits %3</source>
        <translation>通信 %1，其中 %2 被乘法掩盖；核心等待 %3</translation>
    </message>
    <message>
        <source>by the closed form %1; mean of all chips</source>
        <translation>闭式公式为 %1；所有芯片的平均值</translation>
    </message>
    <message>
        <source>prologue</source>
        <translation>前导</translation>
    </message>
    <message>
        <source>epilogue</source>
        <translation>收尾</translation>
    </message>
    <message>
        <source>steady state, %1 × %2</source>
        <translation>稳态，%1 × %2</translation>
    </message>
    <message>
        <source>steady state</source>
        <translation>稳态</translation>
    </message>
    <message>
        <source>steady</source>
        <translation>稳态</translation>
    </message>
    <message>
        <source>%1 is fastest: %2, %3 takes %4 more time</source>
        <translation>%1 最快：%2；%3 多用 %4 的时间</translation>
    </message>
    <message>
        <source>Fastest of A: %1, %2; of B: %3, %4 (%5)</source>
        <translation>A 中最快：%1，%2；B 中最快：%3，%4（%5）</translation>
    </message>
    <message>
        <source>%1 vs A</source>
        <translation>与 A 相比 %1</translation>
    </message>
</context>
<context>
    <name>MachineWords</name>
    <message>
        <source>%1, domains of %2 chips</source>
        <translation>%1，每域 %2 个芯片</translation>
    </message>
    <message>
        <source>%1, torus of %2 axes</source>
        <translation>%1，%2 轴环面</translation>
    </message>
</context>
<context>
    <name>Overview</name>
    <message>
        <source>whole run</source>
        <translation>整个运行</translation>
    </message>
</context>
<context>
    <name>OwnMachines</name>
    <message>
        <source>%1 cannot be written: %2.</source>
        <translation>无法写入 %1：%2。</translation>
    </message>
    <message>
        <source>A machine needs a name, such as “Our cluster”.</source>
        <translation>机器需要名称，例如“我们的集群”。</translation>
    </message>
    <message>
        <source>“%1” is a machine of the program; choose another name, such as “My %1”.</source>
        <translation>“%1”是程序自带的机器；请换一个名称，例如“我的 %1”。</translation>
    </message>
    <message>
        <source>The folder %1 cannot be made.</source>
        <translation>无法创建文件夹 %1。</translation>
    </message>
    <message>
        <source>%1 cannot be deleted: %2.</source>
        <translation>无法删除 %1：%2。</translation>
    </message>
</context>
<context>
    <name>PieceText</name>
    <message>
        <source>piece</source>
        <translation>片</translation>
    </message>
    <message>
        <source>%1 of %2 of the chunk that chip %3 makes as number %4 of %5</source>
        <translation>第 %1/%2 片，所属的块由芯片 %3 第 %4/%5 个算出</translation>
    </message>
    <message>
        <source>made</source>
        <translation>算出</translation>
    </message>
    <message>
        <source>counted</source>
        <translation>计数</translation>
    </message>
    <message>
        <source>2 of 2 updates at %1</source>
        <translation>2/2 次更新，%1</translation>
    </message>
    <message>
        <source>not on this chip: its stores go straight to chip %1</source>
        <translation>不在本芯片：其存储直接送往芯片 %1</translation>
    </message>
    <message>
        <source>sent</source>
        <translation>发送</translation>
    </message>
    <message>
        <source>nowhere: it is this chip&apos;s own</source>
        <translation>不发送：归本芯片所有</translation>
    </message>
    <message>
        <source>triggered</source>
        <translation>触发</translation>
    </message>
    <message>
        <source>read</source>
        <translation>读取</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 至 %2</translation>
    </message>
    <message>
        <source>arrived</source>
        <translation>到达</translation>
    </message>
    <message>
        <source>%1 at chip %2, after a flight of %3</source>
        <translation>%1 到达芯片 %2，飞行 %3</translation>
    </message>
    <message>
        <source>later at chip %1, by chance</source>
        <translation>稍后随机到达芯片 %1</translation>
    </message>
    <message>
        <source>added</source>
        <translation>累加</translation>
    </message>
    <message>
        <source>%1 in chip %2&apos;s memory</source>
        <translation>%1，在芯片 %2 的内存中</translation>
    </message>
    <message>
        <source>waited</source>
        <translation>等待</translation>
    </message>
    <message>
        <source>%1 for the link</source>
        <translation>%1，等链路</translation>
    </message>
    <message>
        <source>%1 for memory, being read and for the link</source>
        <translation>%1，等内存、读取和链路</translation>
    </message>
    <message>
        <source>%1 at %2; it has %3 of the memory&apos;s bandwidth</source>
        <translation>%1，速率 %2；占内存带宽的 %3</translation>
    </message>
    <message>
        <source>an update, which costs what a write does where memory is ideal</source>
        <translation>更新；内存理想时代价与写入相同</translation>
    </message>
    <message>
        <source>an update, which takes as long as %1 writes</source>
        <translation>更新，耗时相当于 %1 次写入</translation>
    </message>
</context>
<context>
    <name>PipelineWords</name>
    <message>
        <source>forward</source>
        <translation>前向</translation>
    </message>
    <message>
        <source>backward</source>
        <translation>反向</translation>
    </message>
    <message>
        <source>optimizer step</source>
        <translation>优化器步骤</translation>
    </message>
    <message>
        <source>exposed communication</source>
        <translation>暴露的通信</translation>
    </message>
    <message>
        <source>waits for another stage</source>
        <translation>等待其他级</translation>
    </message>
    <message>
        <source>waits for a transfer between stages</source>
        <translation>等待级间传输</translation>
    </message>
    <message>
        <source>waits for weights</source>
        <translation>等待权重</translation>
    </message>
    <message>
        <source>waits for the reduction of gradients</source>
        <translation>等待梯度归约</translation>
    </message>
    <message>
        <source>stage %1</source>
        <translation>第 %1 级</translation>
    </message>
    <message>
        <source>Memory held: %1 at most</source>
        <translation>占用的内存：最多 %1</translation>
    </message>
    <message>
        <source>The ranking estimates %1.</source>
        <translation>排名中的估算为 %1。</translation>
    </message>
    <message>
        <source>%1: %2, %3</source>
        <translation>%1：%2，%3</translation>
    </message>
    <message>
        <source>holds %1 at most</source>
        <translation>最多占用 %1</translation>
    </message>
    <message>
        <source>micro-batch %1 of %2</source>
        <translation>微批量 %1 / %2</translation>
    </message>
    <message>
        <source>Simulated: %1 a step; stages on average wait for each other for %2 of it, and for exposed communication for %3; the fullest holds %4 of %5.</source>
        <translation>模拟结果：每步 %1；各级平均有 %2 的时间等待其他级，%3 的时间等待暴露的通信；占用最多的一级为 %4，共 %5。</translation>
    </message>
    <message>
        <source>dashed: what a chip has, %1</source>
        <translation>虚线：芯片内存 %1</translation>
    </message>
    <message>
        <source>Memory of each stage: %1 at most %2; thin lines, the other stages</source>
        <translation>各级占用的内存：%1最多 %2；细线为其余各级</translation>
    </message>
    <message>
        <source>Simulated: %1 a step; one stage, which waits for no other; %2 of the step in exposed communication; it holds %3 of %4.</source>
        <translation>模拟结果：每步 %1；只有一级，不必等待其他级；%2 的时间处于暴露的通信中；占用 %3，共 %4。</translation>
    </message>
    <message>
        <source>dashed: %1</source>
        <translation>虚线：%1</translation>
    </message>
    <message>
        <source>%1 holds at most %2</source>
        <translation>%1最多占用 %2</translation>
    </message>
    <message>
        <source>pipeline</source>
        <translation>流水线</translation>
    </message>
    <message>
        <source>gradients of weights</source>
        <translation>权重梯度</translation>
    </message>
</context>
<context>
    <name>ProfiledTrace</name>
    <message>
        <source>%1; predicted: %2</source>
        <translation>%1；预测：%2</translation>
    </message>
    <message>
        <source>multiplication</source>
        <translation>矩阵乘</translation>
    </message>
    <message>
        <source>forward</source>
        <translation>前向</translation>
    </message>
    <message>
        <source>attention</source>
        <translation>注意力</translation>
    </message>
    <message>
        <source>backward</source>
        <translation>反向</translation>
    </message>
    <message>
        <source>other kernels</source>
        <translation>其他内核</translation>
    </message>
    <message>
        <source>optimizer step</source>
        <translation>优化器步</translation>
    </message>
    <message>
        <source>copies</source>
        <translation>拷贝</translation>
    </message>
    <message>
        <source>communication</source>
        <translation>通信</translation>
    </message>
    <message>
        <source>transfer between stages</source>
        <translation>阶段间传输</translation>
    </message>
    <message>
        <source>exchange of gradients</source>
        <translation>梯度交换</translation>
    </message>
    <message>
        <source>exposed communication</source>
        <translation>暴露的通信</translation>
    </message>
    <message>
        <source>waits</source>
        <translation>等待</translation>
    </message>
    <message>
        <source>The step</source>
        <translation>步号</translation>
    </message>
    <message>
        <source>Measured: %1 a step.</source>
        <translation>实测：每步 %1。</translation>
    </message>
    <message>
        <source>Measured: %1 in all.</source>
        <translation>实测：共 %1。</translation>
    </message>
    <message>
        <source>Measured %1 a step, predicted %2: %3. The largest difference is in %4, %5 measured and %6 predicted.</source>
        <translation>实测每步 %1，预测 %2：%3。差别最大的是%4，实测 %5，预测 %6。</translation>
    </message>
    <message>
        <source>measured</source>
        <translation>实测</translation>
    </message>
    <message>
        <source>predicted</source>
        <translation>预测</translation>
    </message>
    <message>
        <source>step</source>
        <translation>训练步</translation>
    </message>
    <message>
        <source>A prediction in the file: %1.</source>
        <translation>文件中是预测：%1。</translation>
    </message>
    <message>
        <source>A prediction in the file, %1, and that of the selected plan, %2.</source>
        <translation>文件中的预测为 %1，所选方案的预测为 %2。</translation>
    </message>
    <message>
        <source>in the file</source>
        <translation>文件中</translation>
    </message>
    <message>
        <source>%1 holds %2 at most.</source>
        <translation>%1 最多占用 %2。</translation>
    </message>
    <message>
        <source>%1 holds %2 at most; the plan predicts %3 of arrays.</source>
        <translation>%1 最多占用 %2；规划预测数组占 %3。</translation>
    </message>
    <message>
        <source>memory held</source>
        <translation>占用的内存</translation>
    </message>
    <message>
        <source>dashed: what a chip has, %1</source>
        <translation>虚线：芯片内存 %1</translation>
    </message>
</context>
<context>
    <name>RowGroups</name>
    <message>
        <source>row %1 of the mesh</source>
        <translation>网格第 %1 行</translation>
    </message>
    <message>
        <source>column %1 of the mesh</source>
        <translation>网格第 %1 列</translation>
    </message>
    <message>
        <source>cores</source>
        <translation>各核心</translation>
    </message>
    <message>
        <source>chip %1, like no other</source>
        <translation>芯片 %1，独一无二</translation>
    </message>
    <message>
        <source>%1 chips like chip %2</source>
        <translation>%1 个芯片与芯片 %2 相同</translation>
    </message>
    <message>
        <source>memories: GEMM</source>
        <translation>内存：GEMM</translation>
    </message>
    <message>
        <source>memories: communication</source>
        <translation>内存：通信</translation>
    </message>
    <message>
        <source>memories: collectives</source>
        <translation>内存：集合通信</translation>
    </message>
    <message>
        <source>all %1 chips, alike</source>
        <translation>全部 %1 个芯片，相同</translation>
    </message>
</context>
<context>
    <name>RowNames</name>
    <message>
        <source>chip %1</source>
        <translation>芯片 %1</translation>
    </message>
    <message>
        <source>core</source>
        <translation>核心</translation>
    </message>
    <message>
        <source>, %1 dead</source>
        <translation>，%1断开</translation>
    </message>
    <message>
        <source>%1 (one row)</source>
        <translation>%1（1 行）</translation>
    </message>
    <message>
        <source>%1 (%L2 rows)</source>
        <translation>%1（%L2 行）</translation>
    </message>
    <message>
        <source>time (%1)</source>
        <translation>时间（%1）</translation>
    </message>
</context>
<context>
    <name>RunBrowser</name>
    <message>
        <source>%1, simulated: %2</source>
        <translation>%1，模拟：%2</translation>
    </message>
    <message>
        <source>%1, by the closed form: %2</source>
        <translation>%1，按闭式公式：%2</translation>
    </message>
    <message>
        <source>(the bar that it stands in takes %1)</source>
        <translation>（它所在的条用时 %1）</translation>
    </message>
</context>
<context>
    <name>RunPicture</name>
    <message>
        <source>compute</source>
        <translation>计算</translation>
    </message>
    <message>
        <source>backward</source>
        <translation>反向</translation>
    </message>
    <message>
        <source>optimizer step</source>
        <translation>优化器步骤</translation>
    </message>
    <message>
        <source>transfer</source>
        <translation>传输</translation>
    </message>
    <message>
        <source>transfer along a column, or the one ring</source>
        <translation>沿列传输，或在唯一的环上传输</translation>
    </message>
    <message>
        <source>transfer over the outer network</source>
        <translation>经外层网络传输</translation>
    </message>
    <message>
        <source>latency</source>
        <translation>延迟</translation>
    </message>
    <message>
        <source>launch</source>
        <translation>启动</translation>
    </message>
    <message>
        <source>memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>exposed communication</source>
        <translation>暴露的通信</translation>
    </message>
    <message>
        <source>waits</source>
        <translation>等待</translation>
    </message>
    <message>
        <source>%1 holds %2</source>
        <translation>%1占用 %2</translation>
    </message>
    <message>
        <source>at %1</source>
        <translation>在 %1</translation>
    </message>
    <message>
        <source>%1: %2 stretches of time within a pixel</source>
        <translation>%1：一个像素内有 %2 段时间</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>Zoom in to tell them apart.</source>
        <translation>放大即可区分。</translation>
    </message>
    <message>
        <source>%1, from %2</source>
        <translation>%1，从 %2 开始</translation>
    </message>
    <message>
        <source>Double click or Enter: go into it</source>
        <translation>双击或回车：进入其内部</translation>
    </message>
    <message>
        <source>holds %1 then</source>
        <translation>此时占用 %1</translation>
    </message>
    <message>
        <source>rows %1 to %2 of %3</source>
        <translation>第 %1 到 %2 行，共 %3 行</translation>
    </message>
    <message>
        <source>time (%1)</source>
        <translation>时间（%1）</translation>
    </message>
    <message>
        <source>→ %1</source>
        <translation>→ %1</translation>
    </message>
    <message>
        <source>several bars in a pixel: height by share of time</source>
        <translation>一个像素内有多个条块：高度表示时间占比</translation>
    </message>
    <message>
        <source>estimated only: no bars</source>
        <translation>仅有估算：没有条块</translation>
    </message>
    <message>
        <source>gradients of weights</source>
        <translation>权重梯度</translation>
    </message>
</context>
<context>
    <name>SummaryPicture</name>
    <message>
        <source>%1; %2</source>
        <translation>%1；%2</translation>
    </message>
    <message>
        <source>The whole training</source>
        <translation>整个训练</translation>
    </message>
    <message>
        <source>How far to trust it</source>
        <translation>可信到什么程度</translation>
    </message>
    <message>
        <source>%1 %2, %3</source>
        <translation>%1 %2，%3</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>What the memory is needed for: %1 %2</source>
        <translation>内存用在哪里：%1 %2</translation>
    </message>
    <message>
        <source>Where the time goes</source>
        <translation>时间花在哪里</translation>
    </message>
    <message>
        <source>What would change it most</source>
        <translation>什么改变最大</translation>
    </message>
    <message>
        <source>Nothing that was tried is more than 1% better.</source>
        <translation>试过的都没有好过 1%。</translation>
    </message>
    <message>
        <source>Make it B</source>
        <translation>设为 B</translation>
    </message>
    <message>
        <source>What each number of the machine is worth</source>
        <translation>机器每个数值的分量</translation>
    </message>
    <message>
        <source>faster</source>
        <translation>更快</translation>
    </message>
    <message>
        <source>slower</source>
        <translation>更慢</translation>
    </message>
    <message>
        <source>fits</source>
        <translation>放得下</translation>
    </message>
    <message>
        <source>does not fit</source>
        <translation>放不下</translation>
    </message>
    <message>
        <source>× 2 %1</source>
        <translation>× 2 %1</translation>
    </message>
    <message>
        <source>× 0.5 %1</source>
        <translation>× 0.5 %1</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>%1, now %2</source>
        <translation>%1，现在 %2</translation>
    </message>
    <message>
        <source>× 2: %1, %2</source>
        <translation>× 2：%1，%2</translation>
    </message>
    <message>
        <source>× 0.5: %1, %2</source>
        <translation>× 0.5：%1，%2</translation>
    </message>
    <message>
        <source>now: %1</source>
        <translation>现在：%1</translation>
    </message>
    <message>
        <source>It then fits into memory.</source>
        <translation>那时内存放得下。</translation>
    </message>
    <message>
        <source>It then does not fit into memory.</source>
        <translation>那时内存放不下。</translation>
    </message>
    <message>
        <source>A click makes it variant B.</source>
        <translation>点击即成为变体 B。</translation>
    </message>
    <message>
        <source>Source: %1</source>
        <translation>来源：%1</translation>
    </message>
    <message>
        <source>A click loads it: model, machine, chips, split, batch and its measured step become the scenario&apos;s. Undo takes it back.</source>
        <translation>单击载入：模型、机器、芯片、划分、批及其实测每步时间成为方案的内容。可以撤销。</translation>
    </message>
    <message>
        <source>It cannot be loaded. %1</source>
        <translation>无法载入。%1</translation>
    </message>
    <message>
        <source>Where the expected time goes</source>
        <translation>预期时间花在哪里</translation>
    </message>
    <message>
        <source>%1: %2 %3</source>
        <translation>%1：%2 %3</translation>
    </message>
</context>
<context>
    <name>Tabs</name>
    <message>
        <source>Summary</source>
        <translation>总览</translation>
    </message>
    <message>
        <source>Timeline</source>
        <translation>时间线</translation>
    </message>
    <message>
        <source>Map</source>
        <translation>地图</translation>
    </message>
    <message>
        <source>Limits</source>
        <translation>限制</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>比较</translation>
    </message>
    <message>
        <source>Papers</source>
        <translation>论文</translation>
    </message>
    <message>
        <source>Lab</source>
        <translation>实验室</translation>
    </message>
</context>
<context>
    <name>TimeMarkWords</name>
    <message>
        <source>Mark %1</source>
        <translation>标记 %1</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>Key %1 goes here: marks are counted from left to right.</source>
        <translation>按 %1 键转到此处：标记从左到右编号。</translation>
    </message>
    <message>
        <source>M removes it.</source>
        <translation>按 M 键删除。</translation>
    </message>
</context>
<context>
    <name>Timeline</name>
    <message>
        <source>done after %1</source>
        <translation>%1 后结束</translation>
    </message>
    <message>
        <source>No row has what is searched for.</source>
        <translation>没有哪一行含有所搜索的内容。</translation>
    </message>
    <message>
        <source>time (%1)</source>
        <translation>时间（%1）</translation>
    </message>
    <message>
        <source>multiply</source>
        <translation>计算</translation>
    </message>
    <message>
        <source>transfer along a row</source>
        <translation>沿行传输</translation>
    </message>
    <message>
        <source>row</source>
        <translation>行</translation>
    </message>
    <message>
        <source>transfer along a column, or the one ring</source>
        <translation>沿列传输，或在唯一的环上传输</translation>
    </message>
    <message>
        <source>transfer along a column</source>
        <translation>沿列传输</translation>
    </message>
    <message>
        <source>column, ring</source>
        <translation>列、环</translation>
    </message>
    <message>
        <source>column</source>
        <translation>列</translation>
    </message>
    <message>
        <source>transfer</source>
        <translation>传输</translation>
    </message>
    <message>
        <source>transfer along the third axis</source>
        <translation>沿第三轴传输</translation>
    </message>
    <message>
        <source>third axis</source>
        <translation>第三轴</translation>
    </message>
    <message>
        <source>synchronization</source>
        <translation>同步</translation>
    </message>
    <message>
        <source>sync</source>
        <translation>同步</translation>
    </message>
    <message>
        <source>launch</source>
        <translation>启动</translation>
    </message>
    <message>
        <source>copying slices</source>
        <translation>拷贝切片</translation>
    </message>
    <message>
        <source>copies</source>
        <translation>拷贝</translation>
    </message>
    <message>
        <source>core waits: exposed communication</source>
        <translation>核心等待：通信暴露</translation>
    </message>
    <message>
        <source>core waits</source>
        <translation>核心等待</translation>
    </message>
    <message>
        <source>critical path</source>
        <translation>关键路径</translation>
    </message>
    <message>
        <source>several bars in a pixel: height by share of time</source>
        <translation>一个像素内有多个条块：高度表示时间占比</translation>
    </message>
    <message>
        <source>busy links of a folded group</source>
        <translation>折叠组中忙碌的链路</translation>
    </message>
    <message>
        <source>folded links</source>
        <translation>折叠组的链路</translation>
    </message>
    <message>
        <source>last sum, by the compute units</source>
        <translation>最后求和，由计算单元完成</translation>
    </message>
    <message>
        <source>last sum</source>
        <translation>最后求和</translation>
    </message>
    <message>
        <source>Moved %1 later to begin %2 together. %3</source>
        <translation>后移 %1，使两者同时开始 %2。%3</translation>
    </message>
    <message>
        <source>Moved %1 earlier to begin %2 together. %3</source>
        <translation>前移 %1，使两者同时开始 %2。%3</translation>
    </message>
</context>
<context>
    <name>Tools</name>
    <message>
        <source>%1 of %2 GEMMs are right; the table says what the others are.</source>
        <translation>%2 个 GEMM 中有 %1 个正确；其余见表。</translation>
    </message>
    <message>
        <source>Large ones ran on small matrices that are cut alike: the same mesh, dataflow and slice count.</source>
        <translation>大的 GEMM 改用切分方式相同的小矩阵来运行：网格、数据流和切片数都不变。</translation>
    </message>
    <message>
        <source>Y-stationary everywhere: %1. By estimate; a transposition costs no time here.</source>
        <translation>全部采用 Y 驻留：%1。为估算值；这里转置不计时间。</translation>
    </message>
    <message>
        <source>%1 stationary</source>
        <translation>%1 驻留</translation>
    </message>
    <message>
        <source>the largest matrix stays</source>
        <translation>最大的矩阵驻留</translation>
    </message>
    <message>
        <source>Each GEMM ran on matrices of whole numbers, every chip with its own blocks and every hop of every block; each element of the result is compared with that of one multiplication of the whole matrices. Whole numbers are not rounded, so no difference is allowed.</source>
        <translation>每个 GEMM 都用整数矩阵运行，包括每个芯片自己的块和每个块的每一跳；结果的每个元素都与完整矩阵一次相乘的结果对比。整数没有舍入，因此不允许有任何差异。</translation>
    </message>
    <message>
        <source>What a scenario can ask for is the same for all layers: %1 takes %2, %3 as now takes %4.</source>
        <translation>场景只能让所有层采用同一种：%1 用时 %2，目前的%3 用时 %4。</translation>
    </message>
    <message>
        <source>Take “%1”</source>
        <translation>采用“%1”</translation>
    </message>
    <message>
        <source>%1 in %2</source>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>The scenario has the fastest that it can ask for: %1.</source>
        <translation>场景已是可选中最快的：%1。</translation>
    </message>
    <message>
        <source>A layer is Y = X W in the forward pass; backward data and backward weight follow from it. Y-, X- or W-stationary says which of the three never moves. The times are of all three passes, by estimate.</source>
        <translation>一层的前向为 Y = X W，反向（数据）和反向（权重）由此得出。Y、X 或 W 驻留表示三者中哪个始终不动。时间为三个阶段的估算之和。</translation>
    </message>
    <message>
        <source>All %1 GEMMs give the exact result, chip by chip and hop by hop.</source>
        <translation>全部 %1 个 GEMM 逐芯片、逐跳都给出精确结果。</translation>
    </message>
</context>
<context>
    <name>Torus</name>
    <message>
        <source>waiting</source>
        <translation>等待中</translation>
    </message>
    <message>
        <source>made, on the way out</source>
        <translation>已生成，正在送出</translation>
    </message>
    <message>
        <source>with 1 of 2 updates</source>
        <translation>已更新 1 次（共 2 次）</translation>
    </message>
    <message>
        <source>complete</source>
        <translation>已完成</translation>
    </message>
    <message>
        <source>sent</source>
        <translation>已发送</translation>
    </message>
    <message>
        <source>stored straight to chip %1</source>
        <translation>直接存入芯片 %1</translation>
    </message>
    <message>
        <source>sent on to chip %1</source>
        <translation>转发给芯片 %1</translation>
    </message>
    <message>
        <source>stays here</source>
        <translation>留在本地</translation>
    </message>
    <message>
        <source>, </source>
        <translation>、</translation>
    </message>
    <message>
        <source>%1: no GEMM feeds its reduce-scatter</source>
        <translation>%1：没有 GEMM 供给自己的 reduce-scatter</translation>
    </message>
    <message>
        <source>%1, %2: of %3 tiles on all chips %4 are made, %5 complete and %6 sent</source>
        <translation>%1，%2：所有芯片共 %3 个分块，其中 %4 个已生成，%5 个已完成，%6 个已发送</translation>
    </message>
    <message>
        <source>%1: %2 of %3 tiles made, %4 sent</source>
        <translation>%1：%3 个分块中 %2 个已生成，%4 个已发送</translation>
    </message>
    <message>
        <source>chip %1</source>
        <translation>芯片 %1</translation>
    </message>
    <message>
        <source>chunk %1, %2: %3</source>
        <translation>块 %1，%2：%3</translation>
    </message>
    <message>
        <source>all tiles of the other chunks are alike</source>
        <translation>其余各块的分块状态都相同</translation>
    </message>
    <message>
        <source>in a chip: its chunks in the order in which it makes them; moving squares: chunks</source>
        <translation>芯片内：按生成顺序排列的各块；移动的方块：块</translation>
    </message>
    <message>
        <source>%1: nothing runs any more</source>
        <translation>%1：全部运行已结束</translation>
    </message>
    <message>
        <source>%1, %2: %3 of %4 cores multiply, %5 wait; %6 of %7 links carry bytes</source>
        <translation>%1，%2：%4 个核心中 %3 个在计算，%5 个在等待；%7 条链路中 %6 条在传数据</translation>
    </message>
    <message>
        <source>Over %1: cores are busy for %2 of the time on average</source>
        <translation>在 %1 内：核心平均 %2 的时间忙碌</translation>
    </message>
    <message>
        <source>, links for %1; the busiest is %2 with %3</source>
        <translation>，链路 %1；最忙的是%2，%3</translation>
    </message>
    <message>
        <source>slice %1</source>
        <translation>切片 %1</translation>
    </message>
    <message>
        <source>waits</source>
        <translation>等待</translation>
    </message>
    <message>
        <source>core</source>
        <translation>核心</translation>
    </message>
    <message>
        <source>multiply</source>
        <translation>计算</translation>
    </message>
    <message>
        <source>links along a row</source>
        <translation>沿行的链路</translation>
    </message>
    <message>
        <source>transfer along a row</source>
        <translation>沿行传输</translation>
    </message>
    <message>
        <source>links along a column</source>
        <translation>沿列的链路</translation>
    </message>
    <message>
        <source>transfer along a column</source>
        <translation>沿列传输</translation>
    </message>
    <message>
        <source>links of the ring</source>
        <translation>环的链路</translation>
    </message>
    <message>
        <source>transfer</source>
        <translation>传输</translation>
    </message>
    <message>
        <source>third axis</source>
        <translation>第三轴</translation>
    </message>
    <message>
        <source>the stronger the colour, the busier</source>
        <translation>颜色越深越忙</translation>
    </message>
    <message>
        <source>synchronization</source>
        <translation>同步</translation>
    </message>
    <message>
        <source>launch</source>
        <translation>启动</translation>
    </message>
    <message>
        <source>copying slices</source>
        <translation>拷贝切片</translation>
    </message>
    <message>
        <source>core waits</source>
        <translation>核心等待</translation>
    </message>
    <message>
        <source>Over %1: nothing runs</source>
        <translation>%1 内：没有任何运行</translation>
    </message>
    <message>
        <source>Over %1: each of %2 cores and links has no slack at some time; mark a shorter stretch to tell them apart</source>
        <translation>%1 内：%2 个核心和链路在某些时刻都没有余量；请标记更短的一段来区分</translation>
    </message>
    <message>
        <source>Over %1: %2 of %3 cores and links have no slack: they set the pace</source>
        <translation>%1 内：%3 个核心和链路中有 %2 个没有余量，由它们决定快慢</translation>
    </message>
    <message>
        <source>Over %1: the links carry nothing</source>
        <translation>%1 内：链路没有传输任何数据</translation>
    </message>
    <message>
        <source>Over %1: the links carry %2, between %3 and %4 each; the most: %5</source>
        <translation>%1 内：链路共传输 %2，每条 %3 到 %4；最多的是%5</translation>
    </message>
    <message>
        <source>all that a chip sends</source>
        <translation>芯片发送的全部数据</translation>
    </message>
    <message>
        <source>the stronger the colour, the more bytes</source>
        <translation>颜色越深字节越多</translation>
    </message>
    <message>
        <source>the stronger the colour, the less slack; with a line: none</source>
        <translation>颜色越深余量越少；带线：没有余量</translation>
    </message>
    <message>
        <source>moving squares: matrix and slice</source>
        <translation>移动的方块：矩阵与切片编号</translation>
    </message>
    <message>
        <source>busy for %1 of %2</source>
        <translation>%2 内 %1 的时间忙碌</translation>
    </message>
    <message>
        <source>its chip sends %1 in %2</source>
        <translation>%2 内其芯片发送 %1</translation>
    </message>
    <message>
        <source>carries %1 in %2</source>
        <translation>%2 内传输 %1</translation>
    </message>
    <message>
        <source>does nothing in %1</source>
        <translation>%1 内无事可做</translation>
    </message>
    <message>
        <source>no slack in %1: it sets the pace</source>
        <translation>%1 内没有余量：由它决定快慢</translation>
    </message>
    <message>
        <source>could have ended %1 later, in %2</source>
        <translation>在 %2 内最多可晚 %1 结束</translation>
    </message>
    <message>
        <source>waits for communication</source>
        <translation>等待通信</translation>
    </message>
    <message>
        <source>idle</source>
        <translation>空闲</translation>
    </message>
    <message>
        <source>Adding up busy times…</source>
        <translation>正在累计忙碌时间…</translation>
    </message>
    <message>
        <source>Adding up bytes…</source>
        <translation>正在累计字节数…</translation>
    </message>
    <message>
        <source>Computing slack…</source>
        <translation>正在计算余量…</translation>
    </message>
    <message>
        <source>carries nothing itself: what goes round counts on the links it takes</source>
        <translation>本身不传输数据：绕行的数据计入所经过的链路</translation>
    </message>
    <message>
        <source>rows %1 to %2</source>
        <translation>第 %1 至 %2 行</translation>
    </message>
    <message>
        <source>columns %1 to %2</source>
        <translation>第 %1 至 %2 列</translation>
    </message>
    <message>
        <source>B against A: no link differs</source>
        <translation>B 与 A 相比：没有链路不同</translation>
    </message>
    <message>
        <source>B against A: %1 links have more, %2 less; the largest difference: %3, %4</source>
        <translation>B 与 A 相比：%1 条链路更多，%2 条更少；最大差异：%3，%4</translation>
    </message>
    <message>
        <source>busier in B</source>
        <translation>B 中更忙</translation>
    </message>
    <message>
        <source>more bytes in B</source>
        <translation>B 中字节更多</translation>
    </message>
    <message>
        <source>more slack in B</source>
        <translation>B 中余量更多</translation>
    </message>
    <message>
        <source>less</source>
        <translation>更少</translation>
    </message>
    <message>
        <source>no difference</source>
        <translation>无差异</translation>
    </message>
    <message>
        <source>the stronger the colour, the larger the difference</source>
        <translation>颜色越深，差异越大</translation>
    </message>
    <message>
        <source>row %1</source>
        <translation>第 %1 行</translation>
    </message>
    <message>
        <source>column %1</source>
        <translation>第 %1 列</translation>
    </message>
</context>
<context>
    <name>Tuner</name>
    <message>
        <source>one block %1</source>
        <translation>单块 %1</translation>
    </message>
    <message>
        <source>S = %1</source>
        <translation>S = %1</translation>
    </message>
    <message>
        <source>not sliced</source>
        <translation>不切片</translation>
    </message>
    <message>
        <source>best S of each</source>
        <translation>各自的最佳 S</translation>
    </message>
    <message>
        <source> with S = %1</source>
        <translation>，S = %1</translation>
    </message>
    <message>
        <source> with each GEMM&apos;s best S</source>
        <translation>，各 GEMM 取各自的最佳 S</translation>
    </message>
    <message>
        <source>Best for %1: %2%3, %4 of peak, %5</source>
        <translation>%1 的最佳：%2%3，峰值的 %4，%5</translation>
    </message>
    <message>
        <source>Nothing fits with %1; %2%3 needs the least: %4 per chip</source>
        <translation>用 %1 时都放不下；%2%3需要的最少：每芯片 %4</translation>
    </message>
    <message>
        <source>%1, %2 of peak, %3</source>
        <translation>%1，峰值的 %2，%3</translation>
    </message>
    <message>
        <source>simulated</source>
        <translation>仿真</translation>
    </message>
    <message>
        <source>by estimate</source>
        <translation>估算</translation>
    </message>
    <message>
        <source>memory of a chip: %1</source>
        <translation>芯片内存：%1</translation>
    </message>
    <message>
        <source>does not fit: %1 per chip</source>
        <translation>放不下：每芯片 %1</translation>
    </message>
    <message>
        <source>the best of all</source>
        <translation>全局最佳</translation>
    </message>
    <message>
        <source>nothing fits; this needs the least memory</source>
        <translation>都放不下；这里需要的内存最少</translation>
    </message>
    <message>
        <source>the least is %1</source>
        <translation>最少需要 %1</translation>
    </message>
    <message>
        <source>as fast as the best</source>
        <translation>与最佳一样快</translation>
    </message>
    <message>
        <source>takes %1 less time than the best that fits</source>
        <translation>比放得下的最佳方案少用 %1 的时间</translation>
    </message>
    <message>
        <source>takes %1 longer than the best</source>
        <translation>比最佳方案多用 %1 的时间</translation>
    </message>
    <message>
        <source>Click or Enter loads it</source>
        <translation>单击或按 Enter 载入</translation>
    </message>
    <message>
        <source>%1, %2 of peak, by estimate</source>
        <translation>%1，峰值的 %2，估算</translation>
    </message>
    <message>
        <source>behind the first: %1</source>
        <translation>落后于第一名：%1</translation>
    </message>
    <message>
        <source>A click loads it</source>
        <translation>单击载入</translation>
    </message>
    <message>
        <source>best</source>
        <translation>最佳</translation>
    </message>
    <message>
        <source>S</source>
        <translation>S</translation>
    </message>
    <message>
        <source>Rows: mesh. Columns: slice count S of all GEMMs; best: each GEMM&apos;s own. Numbers: share of the peak.</source>
        <translation>行：网格。列：所有 GEMM 的切片数 S；“最佳”列：各 GEMM 取各自的最佳。数字：占峰值的比例。</translation>
    </message>
    <message>
        <source>Rows: mesh; this algorithm does not slice. Numbers: share of the peak.</source>
        <translation>行：网格；该算法不切片。数字：占峰值的比例。</translation>
    </message>
    <message>
        <source>%1 of peak, simulated</source>
        <translation>峰值的 %1，仿真</translation>
    </message>
    <message>
        <source>%1 of peak, by estimate</source>
        <translation>峰值的 %1，估算</translation>
    </message>
    <message>
        <source>%1, %2: does not run</source>
        <translation>%1，%2：无法运行</translation>
    </message>
    <message>
        <source>Each algorithm&apos;s best, one block by estimate</source>
        <translation>各算法的最佳配置，单块估算</translation>
    </message>
    <message>
        <source>Each algorithm&apos;s best, by estimate</source>
        <translation>各算法的最佳配置，估算</translation>
    </message>
    <message>
        <source>Do not fit into the %1 of a chip:</source>
        <translation>超出芯片 %1 内存的有：</translation>
    </message>
    <message>
        <source>Not on these chips: %1</source>
        <translation>无法在这些芯片上运行：%1</translation>
    </message>
    <message>
        <source>Corner: best.</source>
        <translation>角标：最佳。</translation>
    </message>
    <message>
        <source>Corner: needs the least memory.</source>
        <translation>角标：所需内存最少。</translation>
    </message>
    <message>
        <source> Frame: yours. Dot: cannot run.</source>
        <translation>方框：当前场景。圆点：无法运行。</translation>
    </message>
    <message>
        <source> Hatched: does not fit into a chip&apos;s memory.</source>
        <translation>斜线：放不进芯片内存。</translation>
    </message>
    <message>
        <source> Of a healthy machine: the scenario&apos;s faults are left out.</source>
        <translation>以健康的机器计：不含场景中的故障。</translation>
    </message>
    <message>
        <source> The %1 slowest meshes are not shown.</source>
        <translation>最慢的 %1 种网格未显示。</translation>
    </message>
    <message>
        <source>only %1</source>
        <translation>仅 %1</translation>
    </message>
    <message>
        <source>Rows: mesh. Columns: slice count S of all GEMMs; best: each GEMM&apos;s own. Numbers: time of B against A.</source>
        <translation>行：网格。列：所有 GEMM 的切片数 S；“最佳”列：各 GEMM 取各自的最佳。数字：B 的时间相对 A。</translation>
    </message>
    <message>
        <source>Rows: mesh; neither slices. Numbers: time of B against A.</source>
        <translation>行：网格；两者都不切片。数字：B 的时间相对 A。</translation>
    </message>
    <message>
        <source>B faster</source>
        <translation>B 更快</translation>
    </message>
    <message>
        <source>B slower, simulated</source>
        <translation>B 更慢，仿真</translation>
    </message>
    <message>
        <source>B slower, by estimate</source>
        <translation>B 更慢，估算</translation>
    </message>
    <message>
        <source>B slower</source>
        <translation>B 更慢</translation>
    </message>
    <message>
        <source>%1: does not run</source>
        <translation>%1：无法运行</translation>
    </message>
    <message>
        <source>Each mesh with the best S, one block</source>
        <translation>各网格取最佳 S，一个块</translation>
    </message>
    <message>
        <source>Each mesh with the best S</source>
        <translation>各网格取最佳 S</translation>
    </message>
    <message>
        <source>mesh</source>
        <translation>网格</translation>
    </message>
    <message>
        <source>difference</source>
        <translation>差异</translation>
    </message>
    <message>
        <source> *</source>
        <translation> *</translation>
    </message>
    <message>
        <source>Minus: B takes less time. Frame: B&apos;s scenario.</source>
        <translation>负号：B 用时更少。方框：B 的场景。</translation>
    </message>
    <message>
        <source> Only A, only B: the other does not run.</source>
        <translation>仅 A、仅 B：另一个无法运行。</translation>
    </message>
    <message>
        <source> Dot: neither runs.</source>
        <translation>圆点：两者都无法运行。</translation>
    </message>
    <message>
        <source> Hatched, *: A or B does not fit into a chip&apos;s memory.</source>
        <translation>斜线、*：A 或 B 放不进芯片内存。</translation>
    </message>
    <message>
        <source> %1 meshes are not shown.</source>
        <translation>有 %1 个网格未显示。</translation>
    </message>
    <message>
        <source>the same time</source>
        <translation>相同的时间</translation>
    </message>
    <message>
        <source>%1 less time</source>
        <translation>时间少 %1</translation>
    </message>
    <message>
        <source>%1 times as long</source>
        <translation>%1 倍的时间</translation>
    </message>
    <message>
        <source>%1 of peak</source>
        <translation>峰值的 %1</translation>
    </message>
    <message>
        <source>%1 does not have this mesh</source>
        <translation>%1 没有这个网格</translation>
    </message>
    <message>
        <source>%1 does not have this slice count</source>
        <translation>%1 没有这个切片数</translation>
    </message>
    <message>
        <source>B takes %1 on %2</source>
        <translation>在 %2 上 B 相对 A：%1</translation>
    </message>
    <message>
        <source>A and B take the same time on all %1 meshes</source>
        <translation>在全部 %1 个网格上 A 和 B 用时相同</translation>
    </message>
    <message>
        <source>all %1</source>
        <translation>全部 %1 个</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%2 个中的 %1 个</translation>
    </message>
    <message>
        <source>B is faster on %1 meshes; most on %2, %3</source>
        <translation>B 在%1网格上更快；最多的是 %2，%3</translation>
    </message>
    <message>
        <source>B is slower on %1 meshes; most on %2, %3</source>
        <translation>B 在%1网格上更慢；最多的是 %2，%3</translation>
    </message>
    <message>
        <source>There is no mesh on which both A and B run</source>
        <translation>没有 A 和 B 都能运行的网格</translation>
    </message>
    <message>
        <source>There is no mesh of both: A has %1 chips, B %2</source>
        <translation>没有共同的网格：A 有 %1 个芯片，B 有 %2 个</translation>
    </message>
    <message>
        <source>only A runs on %1 more</source>
        <translation>另有 %1 个仅 A 能运行</translation>
    </message>
    <message>
        <source>only B runs on %1 more</source>
        <translation>另有 %1 个仅 B 能运行</translation>
    </message>
    <message>
        <source>on %1 of these, A or B does not fit</source>
        <translation>其中 %1 个上 A 或 B 放不下</translation>
    </message>
    <message>
        <source>B takes %1</source>
        <translation>B 相对 A：%1</translation>
    </message>
    <message>
        <source>Click or Enter loads it into B</source>
        <translation>单击或按 Enter 载入到 B</translation>
    </message>
    <message>
        <source>only A runs, %1</source>
        <translation>仅 A 能运行，%1</translation>
    </message>
    <message>
        <source>only B runs, %1</source>
        <translation>仅 B 能运行，%1</translation>
    </message>
</context>
<context>
    <name>Views</name>
    <message>
        <source>Timeline</source>
        <translation>时间线</translation>
    </message>
    <message>
        <source>Torus</source>
        <translation>环面</translation>
    </message>
    <message>
        <source>Roofline</source>
        <translation>Roofline</translation>
    </message>
    <message>
        <source>Breakdown</source>
        <translation>时间分解</translation>
    </message>
    <message>
        <source>GEMMs</source>
        <translation>GEMM</translation>
    </message>
    <message>
        <source>Critical path</source>
        <translation>关键路径</translation>
    </message>
    <message>
        <source>Algorithms</source>
        <translation>算法</translation>
    </message>
    <message>
        <source>Tuner</source>
        <translation>调优</translation>
    </message>
    <message>
        <source>Sweep</source>
        <translation>扫描</translation>
    </message>
    <message>
        <source>Studies</source>
        <translation>论文研究</translation>
    </message>
    <message>
        <source>Plan</source>
        <translation>规划</translation>
    </message>
    <message>
        <source>Lab</source>
        <translation>实验室</translation>
    </message>
    <message>
        <source>Summary</source>
        <translation>总览</translation>
    </message>
    <message>
        <source>Plans</source>
        <translation>方案</translation>
    </message>
    <message>
        <source>Pipeline</source>
        <translation>流水线</translation>
    </message>
    <message>
        <source>Cluster</source>
        <translation>集群</translation>
    </message>
    <message>
        <source>Number of chips</source>
        <translation>芯片数</translation>
    </message>
    <message>
        <source>Fit to measurements</source>
        <translation>按测量拟合</translation>
    </message>
    <message>
        <source>GEMM</source>
        <translation>GEMM</translation>
    </message>
    <message>
        <source>Block</source>
        <translation>块</translation>
    </message>
    <message>
        <source>Training run</source>
        <translation>训练</translation>
    </message>
    <message>
        <source>Papers</source>
        <translation>论文</translation>
    </message>
    <message>
        <source>One GEMM on a mesh of chips</source>
        <translation>芯片网格上的一个 GEMM</translation>
    </message>
    <message>
        <source>One block of a model on a mesh of chips: forward and backward pass</source>
        <translation>芯片网格上的一个模型块：前向与反向</translation>
    </message>
    <message>
        <source>The whole training run, planned over all chips</source>
        <translation>整个训练，在所有芯片上规划</translation>
    </message>
    <message>
        <source>What publications measured, next to what the engine says</source>
        <translation>论文的测量与引擎的结果并列</translation>
    </message>
    <message>
        <source>Rooflines, collectives, shardings and algorithms step by step</source>
        <translation>屋顶线、集合通信、分片与逐步算法</translation>
    </message>
    <message>
        <source>Parts of the plan</source>
        <translation>方案的组成</translation>
    </message>
    <message>
        <source>Serving</source>
        <translation>推理服务</translation>
    </message>
    <message>
        <source>Memory of a chip</source>
        <translation>单个芯片的内存</translation>
    </message>
    <message>
        <source>Frontier</source>
        <translation>前沿</translation>
    </message>
    <message>
        <source>A model that answers requests: first token, tokens per second, memory</source>
        <translation>回答请求的模型：首个 token、每秒 token 数、内存</translation>
    </message>
    <message>
        <source>How far to trust this</source>
        <translation>此结果有多可信</translation>
    </message>
    <message>
        <source>A step by the batch</source>
        <translation>一步（按批大小）</translation>
    </message>
    <message>
        <source>Servers over time</source>
        <translation>服务器时间线</translation>
    </message>
    <message>
        <source>Measured trace</source>
        <translation>实测轨迹</translation>
    </message>
    <message>
        <source>KV cache</source>
        <translation>KV 缓存</translation>
    </message>
    <message>
        <source>Layouts</source>
        <translation>布局</translation>
    </message>
    <message>
        <source>Schedules</source>
        <translation>调度方式</translation>
    </message>
</context>
<context>
    <name>Wait</name>
    <message>
        <source>this chip is done; the GEMM ends when the last chip is</source>
        <translation>本芯片已完成；最后一个芯片完成时 GEMM 才结束</translation>
    </message>
    <message>
        <source>no transfer of this chip ends in this time</source>
        <translation>这段时间里本芯片没有传输结束</translation>
    </message>
    <message>
        <source>%1, slice %2</source>
        <translation>%1，切片 %2</translation>
    </message>
    <message>
        <source>the sums are still being scattered: %1, until %2</source>
        <translation>部分和仍在散播：%1，直到 %2</translation>
    </message>
    <message>
        <source>the last transfer is still under way: %1, until %2</source>
        <translation>最后一次传输仍在进行：%1，直到 %2</translation>
    </message>
    <message>
        <source>waits for %1: its last byte arrives from chip %2, back over the %3, at %4</source>
        <translation>等待%1：最后一个字节来自芯片 %2，经%3折返，于 %4 到达</translation>
    </message>
    <message>
        <source>waits for %1: its last byte has gone back over the %2 at %3</source>
        <translation>等待%1：最后一个字节经%2折返，于 %3 发完</translation>
    </message>
    <message>
        <source>waits for %1: its last byte arrives from chip %2, round by the %3, at %4</source>
        <translation>等待%1：最后一个字节来自芯片 %2，绕行%3，于 %4 到达</translation>
    </message>
    <message>
        <source>waits for %1: its last byte has gone round by the %2 at %3</source>
        <translation>等待%1：最后一个字节绕行%2，于 %3 发完</translation>
    </message>
    <message>
        <source>waits for %1: its last byte leaves on the %2 at %3</source>
        <translation>等待%1：最后一个字节经%2于 %3 发出</translation>
    </message>
    <message>
        <source>waits for %1: its last byte arrives from chip %2 on the %3 at %4</source>
        <translation>等待%1：最后一个字节来自芯片 %2，经%3于 %4 到达</translation>
    </message>
</context>
<context>
    <name>meshslice::ui</name>
    <message>
        <source>There is no run to export yet.</source>
        <translation>还没有可导出的运行结果。</translation>
    </message>
    <message>
        <source>There is no timeline to export: %1</source>
        <translation>没有可导出的时间线：%1</translation>
    </message>
    <message>
        <source>Copy the rows</source>
        <translation>复制这些行</translation>
    </message>
    <message>
        <source>output stationary, C = A B</source>
        <translation>输出驻留，C = A B</translation>
    </message>
    <message>
        <source>left stationary, C = A B&lt;sup&gt;T&lt;/sup&gt;</source>
        <translation>左矩阵驻留，C = A B&lt;sup&gt;T&lt;/sup&gt;</translation>
    </message>
    <message>
        <source>right stationary, C = A&lt;sup&gt;T&lt;/sup&gt; B</source>
        <translation>右矩阵驻留，C = A&lt;sup&gt;T&lt;/sup&gt; B</translation>
    </message>
    <message>
        <source>%1 (%2, %3) with %4 on %5 chips, S&#xa0;=&#xa0;%6</source>
        <translation>%1（%2，%3），%4，%5 芯片，S = %6</translation>
    </message>
    <message>
        <source>%1 copies run one after the other; the times of the GEMM are those of one copy.</source>
        <translation>%1 个副本依次执行；该 GEMM 的时间均指一个副本。</translation>
    </message>
    <message>
        <source>from</source>
        <translation>起</translation>
    </message>
    <message>
        <source>to</source>
        <translation>止</translation>
    </message>
    <message>
        <source>begins after this copy&apos;s start</source>
        <translation>距本副本开始</translation>
    </message>
    <message>
        <source>begins after the GEMM&apos;s start</source>
        <translation>距 GEMM 开始</translation>
    </message>
    <message>
        <source>lasts</source>
        <translation>持续</translation>
    </message>
    <message>
        <source>copy</source>
        <translation>副本</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>where</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>Selected wait: exposed communication</source>
        <translation>选中的等待：通信暴露</translation>
    </message>
    <message>
        <source>Why: %1.</source>
        <translation>原因：%1。</translation>
    </message>
    <message>
        <source>what</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>operation</source>
        <translation>操作</translation>
    </message>
    <message>
        <source>step of the ring</source>
        <translation>环上步数</translation>
    </message>
    <message>
        <source>moves</source>
        <translation>数据量</translation>
    </message>
    <message>
        <source>so</source>
        <translation>因此</translation>
    </message>
    <message>
        <source>without faults</source>
        <translation>无故障时</translation>
    </message>
    <message>
        <source>%1 / %2 = %3</source>
        <translation>%1 / %2 = %3</translation>
    </message>
    <message>
        <source>Selected bar</source>
        <translation>选中的条块</translation>
    </message>
    <message>
        <source>Why it takes this long</source>
        <translation>为什么用这么长时间</translation>
    </message>
    <message>
        <source>By formula and by simulation</source>
        <translation>公式与仿真</translation>
    </message>
    <message>
        <source>By closed form, prologue + further iterations × steady state + epilogue:</source>
        <translation>闭式公式：前导 + 其余迭代次数 × 稳态 + 收尾：</translation>
    </message>
    <message>
        <source>Estimated, not simulated. %1</source>
        <translation>仅估算，未仿真。%1</translation>
    </message>
    <message>
        <source>Simulated, every chip and link by itself: &lt;b&gt;%1&lt;/b&gt;.</source>
        <translation>仿真（每个芯片和每条链路单独计算）：&lt;b&gt;%1&lt;/b&gt;。</translation>
    </message>
    <message>
        <source>simulated</source>
        <translation>仿真</translation>
    </message>
    <message>
        <source>closed form</source>
        <translation>闭式公式</translation>
    </message>
    <message>
        <source>multiplication</source>
        <translation>乘法</translation>
    </message>
    <message>
        <source>launches</source>
        <translation>启动</translation>
    </message>
    <message>
        <source>synchronization</source>
        <translation>同步</translation>
    </message>
    <message>
        <source>transfers</source>
        <translation>传输</translation>
    </message>
    <message>
        <source>copying slices</source>
        <translation>拷贝切片</translation>
    </message>
    <message>
        <source>exposed: the core waits</source>
        <translation>暴露：核心等待</translation>
    </message>
    <message>
        <source>sent by the busiest chip</source>
        <translation>最忙的芯片发送</translation>
    </message>
    <message>
        <source>over the busiest link</source>
        <translation>最忙的链路传输</translation>
    </message>
    <message>
        <source>multiplied</source>
        <translation>计算量</translation>
    </message>
    <message>
        <source>read and written in memory</source>
        <translation>内存读写</translation>
    </message>
    <message>
        <source>shards of A, B and C</source>
        <translation>A、B、C 的分片</translation>
    </message>
    <message>
        <source>buffers of the loop</source>
        <translation>循环的缓冲区</translation>
    </message>
    <message>
        <source>memory in all</source>
        <translation>内存合计</translation>
    </message>
    <message>
        <source>On one chip</source>
        <translation>每个芯片</translation>
    </message>
    <message>
        <source>&lt;b&gt;This is more than the chip&apos;s memory of %1.&lt;/b&gt;</source>
        <translation>&lt;b&gt;超过芯片的内存 %1。&lt;/b&gt;</translation>
    </message>
    <message>
        <source>Does it fit into a chip&apos;s memory?</source>
        <translation>芯片内存放得下吗？</translation>
    </message>
    <message>
        <source>together</source>
        <translation>合计</translation>
    </message>
    <message>
        <source>of one block alone</source>
        <translation>仅单块</translation>
    </message>
    <message>
        <source>time, simulated</source>
        <translation>时间（仿真）</translation>
    </message>
    <message>
        <source>time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>by closed form</source>
        <translation>闭式公式</translation>
    </message>
    <message>
        <source>of the peak</source>
        <translation>占峰值</translation>
    </message>
    <message>
        <source>communication hidden</source>
        <translation>被掩盖的通信</translation>
    </message>
    <message>
        <source>all %1 blocks</source>
        <translation>全部 %1 块</translation>
    </message>
    <message>
        <source>The GEMM</source>
        <translation>该 GEMM</translation>
    </message>
    <message>
        <source>One block of %1</source>
        <translation>%1 的一个 Transformer 块</translation>
    </message>
    <message>
        <source>%1 is estimated, not simulated. %2</source>
        <translation>%1 仅为估算，未仿真。%2</translation>
    </message>
    <message>
        <source>A and B</source>
        <translation>A 与 B</translation>
    </message>
    <message>
        <source>How one chip spends it, on average</source>
        <translation>单个芯片的平均时间构成</translation>
    </message>
    <message>
        <source>The links of both axes and the core work at the same time, so the parts add up to more than the time.</source>
        <translation>两个轴的链路与核心同时工作，所以各部分之和大于总时间。</translation>
    </message>
    <message>
        <source>What every chip runs</source>
        <translation>每个芯片执行的程序</translation>
    </message>
    <message>
        <source>Details appear here when the first run has finished.</source>
        <translation>首次运行完成后，这里显示详情。</translation>
    </message>
    <message>
        <source>Click a bar of the timeline, or a row of the GEMMs, to see what it is and why it takes the time it takes.</source>
        <translation>单击时间线上的条块或 GEMM 表中的一行，查看它是什么、为什么用这么长时间。</translation>
    </message>
    <message>
        <source>the same</source>
        <translation>相同</translation>
    </message>
    <message>
        <source>cores multiply</source>
        <translation>核心在计算</translation>
    </message>
    <message>
        <source>links busy</source>
        <translation>链路忙碌</translation>
    </message>
    <message>
        <source>bytes moved</source>
        <translation>传输的字节</translation>
    </message>
    <message>
        <source>FLOP done</source>
        <translation>完成的 FLOP</translation>
    </message>
    <message>
        <source>communication</source>
        <translation>通信</translation>
    </message>
    <message>
        <source>of it hidden</source>
        <translation>其中被掩盖</translation>
    </message>
    <message>
        <source>hidden share</source>
        <translation>掩盖比例</translation>
    </message>
    <message>
        <source>Marked stretch</source>
        <translation>选定的时间段</translation>
    </message>
    <message>
        <source>%1 to %2: &lt;b&gt;%3&lt;/b&gt;</source>
        <translation>%1 到 %2：&lt;b&gt;%3&lt;/b&gt;</translation>
    </message>
    <message>
        <source>%1: %2 of it were only estimated and are not counted.</source>
        <translation>%1：其中 %2 仅为估算，未计入。</translation>
    </message>
    <message>
        <source>%1 is done after %2; only the time until then counts.</source>
        <translation>%1 在 %2 后结束；只计入此前的时间。</translation>
    </message>
    <message>
        <source>%1 is done before it begins.</source>
        <translation>%1 在此之前已结束。</translation>
    </message>
    <message>
        <source>Shares and times are averages over the chips or links, bytes and FLOP sums over all of them. A bar that is cut by an edge counts by the share of its time that lies within. Communication adds both axes up, which may be busy at the same time; exposed is what the core waits for.</source>
        <translation>比例和时间是所有芯片或链路的平均值，字节数和 FLOP 是总和。被边界截断的条块按落在其中的时间比例计入。通信为两个轴之和，两个轴可能同时忙碌；“暴露”指核心等待的时间。</translation>
    </message>
    <message>
        <source>Copy this table</source>
        <translation>复制此表</translation>
    </message>
    <message>
        <source>%1%2 points</source>
        <translation>%1%2 个百分点</translation>
    </message>
    <message>
        <source>What differs</source>
        <translation>不同之处</translation>
    </message>
    <message>
        <source>Nothing: A and B are alike.</source>
        <translation>没有：A 与 B 相同。</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>A takes %1, B %2: %3.</source>
        <translation>A 用时 %1，B 用时 %2：%3。</translation>
    </message>
    <message>
        <source>slower chips multiply</source>
        <translation>等待较慢的芯片计算</translation>
    </message>
    <message>
        <source>the multiplication&apos;s launch</source>
        <translation>乘法的启动</translation>
    </message>
    <message>
        <source>launch</source>
        <translation>启动</translation>
    </message>
    <message>
        <source>transfer</source>
        <translation>传输</translation>
    </message>
    <message>
        <source>none: it sets the pace</source>
        <translation>无：由它决定快慢</translation>
    </message>
    <message>
        <source>Slack in the steady state</source>
        <translation>稳态中的余量</translation>
    </message>
    <message>
        <source>How much longer any one of its activities could take without delaying the end.</source>
        <translation>其中任一操作最多可以延长多久而不推迟结束时间。</translation>
    </message>
    <message>
        <source>What the core waits for</source>
        <translation>核心在等什么</translation>
    </message>
    <message>
        <source>What cores wait for on the critical path</source>
        <translation>关键路径上的核心在等什么</translation>
    </message>
    <message>
        <source>change of the %1</source>
        <translation>修改%1</translation>
    </message>
    <message>
        <source>Layer Y = X W</source>
        <translation>层 Y = X W</translation>
    </message>
    <message>
        <source>tokens</source>
        <translation>token 数</translation>
    </message>
    <message>
        <source>in</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>out</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>copies</source>
        <translation>份数</translation>
    </message>
    <message>
        <source>Number</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>Where it comes from</source>
        <translation>出处</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>是</translation>
    </message>
    <message>
        <source>no</source>
        <translation>否</translation>
    </message>
    <message>
        <source>by default</source>
        <translation>默认</translation>
    </message>
    <message>
        <source>The fully connected layers of one transformer block. Every one is multiplied three times in a training step: forward, backward for the data and backward for the weights.</source>
        <translation>一个 Transformer 块的全连接层。训练一步中每层要做三次乘法：前向、反向（数据）和反向（权重）。</translation>
    </message>
    <message>
        <source>Numbers of the model</source>
        <translation>模型参数</translation>
    </message>
    <message>
        <source>&lt;b&gt;%1&lt;/b&gt;&lt;br&gt;&lt;small&gt;preset: %2&lt;/small&gt;</source>
        <translation>&lt;b&gt;%1&lt;/b&gt;&lt;br&gt;&lt;small&gt;预设：%2&lt;/small&gt;</translation>
    </message>
    <message>
        <source>a GEMM with M = %1, N = %2 and K = %3</source>
        <translation>M = %1、N = %2、K = %3 的 GEMM</translation>
    </message>
    <message>
        <source>%1, batch %2 x %3 tokens</source>
        <translation>%1，批大小 %2 × %3 token</translation>
    </message>
    <message>
        <source>%1, %2; %3: %4</source>
        <translation>%1，%2；%3：%4</translation>
    </message>
    <message>
        <source>one chip</source>
        <translation>1 个芯片</translation>
    </message>
    <message>
        <source>%1 chips</source>
        <translation>%1 个芯片</translation>
    </message>
    <message>
        <source> or </source>
        <translation> 或 </translation>
    </message>
    <message>
        <source>Everywhere</source>
        <translation>全局</translation>
    </message>
    <message>
        <source>Click the view first, or reach it with Tab.</source>
        <translation>请先单击该视图，或用 Tab 键移到该视图。</translation>
    </message>
    <message>
        <source>Shows when each core multiplies and each link moves in distributed matrix multiplication on a torus of accelerators.</source>
        <translation>展示在由加速器组成的环面上做分布式矩阵乘法时，每个核心何时计算、每条链路何时传输。</translation>
    </message>
    <message>
        <source>The model of time follows the MeshSlice paper; every preset names its sources.</source>
        <translation>时间模型依据 MeshSlice 论文；每个预设都注明出处。</translation>
    </message>
    <message>
        <source>Free software under the GNU General Public License, version 3 or later.</source>
        <translation>自由软件，遵循 GNU 通用公共许可证第 3 版或更高版本。</translation>
    </message>
    <message>
        <source>The folder %1 cannot be created.</source>
        <translation>无法创建文件夹 %1。</translation>
    </message>
    <message>
        <source>%1, one block after the other: %2</source>
        <translation>%1，逐块执行：%2</translation>
    </message>
    <message>
        <source>Memory of a chip with %1: %2; %3.</source>
        <translation>%1 的芯片内存：%2；%3。</translation>
    </message>
    <message>
        <source>%1 is estimated by the closed form. %2</source>
        <translation>%1 按闭式公式估算。%2</translation>
    </message>
    <message>
        <source>A (%1) does not run: %2</source>
        <translation>A（%1）无法运行：%2</translation>
    </message>
    <message>
        <source>%1 does not run here: %2</source>
        <translation>%1 在这里无法运行：%2</translation>
    </message>
    <message>
        <source>%1. %2.</source>
        <translation>%1。%2。</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>What happens to this piece</source>
        <translation>这一片的经历</translation>
    </message>
    <message>
        <source>slice</source>
        <translation>切片</translation>
    </message>
    <message>
        <source>%1; training run on %2: %3</source>
        <translation>%1；在 %2上训练：%3</translation>
    </message>
</context>
<context>
    <name>meshslice::ui::AlsoOpen</name>
    <message>
        <source>Also open in another window</source>
        <translation>也在另一个窗口中打开</translation>
    </message>
    <message>
        <source>What is saved in one window is noticed in the other.</source>
        <translation>一个窗口保存后，另一个会察觉。</translation>
    </message>
</context>
<context>
    <name>meshslice::ui::Autosave</name>
    <message>
        <source>%1 cannot be read: %2.</source>
        <translation>无法读取 %1：%2。</translation>
    </message>
    <message>
        <source>%1 is too large for a scenario file.</source>
        <translation>%1 太大，不会是场景文件。</translation>
    </message>
    <message>
        <source>%1 is damaged: %2.</source>
        <translation>%1 已损坏：%2。</translation>
    </message>
    <message>
        <source>%1 It is kept as %2.</source>
        <translation>%1 已另存为 %2。</translation>
    </message>
    <message>
        <source>The folder %1 cannot be made.</source>
        <translation>无法创建文件夹 %1。</translation>
    </message>
    <message>
        <source>No copy of unsaved work can be kept. %1</source>
        <translation>无法保留未保存工作的副本。%1</translation>
    </message>
</context>
<context>
    <name>meshslice::ui::Breadcrumb</name>
    <message>
        <source>Scale</source>
        <translation>尺度</translation>
    </message>
    <message>
        <source>Out to: %1</source>
        <translation>回到：%1</translation>
    </message>
</context>
<context>
    <name>meshslice::ui::BreakdownView</name>
    <message>
        <source>%1 hides %2 of its communication behind multiplication</source>
        <translation>%1 用乘法掩盖了 %2 的通信</translation>
    </message>
    <message>
        <source>Where does the time of each GEMM go?</source>
        <translation>每个 GEMM 的时间花在哪里？</translation>
    </message>
    <message>
        <source>Breakdown</source>
        <translation>时间分解</translation>
    </message>
    <message>
        <source>There are no GEMMs to break down.</source>
        <translation>没有可分解的 GEMM。</translation>
    </message>
    <message>
        <source>The GEMMs whose core waits longest come first</source>
        <translation>核心等待最久的 GEMM 排在最前</translation>
    </message>
    <message>
        <source>Show the worst %1</source>
        <translation>显示最差的 %1 个</translation>
    </message>
    <message>
        <source>Show all %1 GEMMs</source>
        <translation>显示全部 %1 个 GEMM</translation>
    </message>
</context>
<context>
    <name>meshslice::ui::CalibrationView</name>
    <message>
        <source>Measured collectives…</source>
        <translation>集合通信实测数据…</translation>
    </message>
    <message>
        <source>Measured GEMMs…</source>
        <translation>GEMM 实测数据…</translation>
    </message>
    <message>
        <source>Use this hardware</source>
        <translation>采用此硬件</translation>
    </message>
    <message>
        <source>Fitted constants</source>
        <translation>拟合得到的常数</translation>
    </message>
    <message>
        <source>Calibration</source>
        <translation>校准</translation>
    </message>
    <message>
        <source>Deviations of the fit</source>
        <translation>拟合偏差</translation>
    </message>
    <message>
        <source>rings used both ways</source>
        <translation>环双向使用</translation>
    </message>
    <message>
        <source>rings used one way</source>
        <translation>环单向使用</translation>
    </message>
    <message>
        <source>How the measured collectives used a ring</source>
        <translation>实测的集合通信如何使用环</translation>
    </message>
    <message>
        <source>A CSV file with the columns operation (all_gather, reduce_scatter, send_receive), chips, bytes and time</source>
        <translation>CSV 文件，列为 operation（all_gather、reduce_scatter、send_receive）、chips、bytes 和 time</translation>
    </message>
    <message>
        <source>A CSV file with the columns M, N, K and time, of GEMMs on one chip</source>
        <translation>CSV 文件，列为 M、N、K 和 time，即单芯片上的 GEMM</translation>
    </message>
    <message>
        <source>The scenario&apos;s hardware with the fitted constants; can be undone</source>
        <translation>场景的硬件改用拟合得到的常数；可撤销</translation>
    </message>
    <message>
        <source>Open measured collectives</source>
        <translation>打开集合通信实测数据</translation>
    </message>
    <message>
        <source>Open measured GEMMs</source>
        <translation>打开 GEMM 实测数据</translation>
    </message>
    <message>
        <source>Measurements (*.csv)</source>
        <translation>实测数据 (*.csv)</translation>
    </message>
    <message>
        <source>Open times that were measured on a machine, as CSV: collectives (operation, chips, bytes of the whole that is gathered or summed, or of the message that each chip sends, time) or GEMMs (M, N, K, time). Launch, synchronization, bandwidth and the rate of GEMMs are fitted to them, and this chart shows how far the fit is from each.</source>
        <translation>打开在机器上测得的时间（CSV）：集合通信（操作、芯片数、聚集或归约的整体字节数或每个芯片发送的消息字节数、时间），或 GEMM（M、N、K、时间）。启动、同步、带宽和 GEMM 速率据此拟合，图中显示拟合与每个实测值的偏差。</translation>
    </message>
    <message>
        <source>%1 The fit below is still of %2.</source>
        <translation>%1 下面仍是 %2 的拟合结果。</translation>
    </message>
    <message>
        <source> and </source>
        <translation> 和 </translation>
    </message>
    <message>
        <source>%1; measured: %2</source>
        <translation>%1；实测：%2</translation>
    </message>
</context>
<context>
    <name>meshslice::ui::Capture</name>
    <message>
        <source>There is no view &quot;%1&quot;; there are %2, and pages of these, such as %3.</source>
        <translation>没有视图“%1”；可用的有 %2，以及它们的页面，例如 %3。</translation>
    </message>
</context>
<context>
    <name>meshslice::ui::ChartCanvas</name>
    <message>
        <source>Left and right</source>
        <translation>左、右</translation>
    </message>
    <message>
        <source>Go from value to value of the chart</source>
        <translation>在图中的值之间移动</translation>
    </message>
    <message>
        <source>1 … 9, 0</source>
        <translation>1 … 9、0</translation>
    </message>
    <message>
        <source>Show one series of the legend alone, or all</source>
        <translation>只显示图例中的一个系列，或全部显示</translation>
    </message>
</context>
<context>
    <name>meshslice::ui::ChartSurface</name>
    <message>
        <source>%1: click to show it alone, or all again</source>
        <translation>%1：单击只显示该系列，再次单击全部显示</translation>
    </message>
    <message>
        <source>Ctrl+click to hide or show it</source>
        <translation>Ctrl + 单击可隐藏或显示</translation>
    </message>
</context>
<context>
    <name>meshslice::ui::ChartView</name>
    <message>
        <source>Arrows</source>
        <translation>方向键</translation>
    </message>
    <message>
        <source>Select the next or the previous GEMM</source>
        <translation>选择下一个或上一个 GEMM</translation>
    </message>
    <message>
        <source>1 … 9, 0</source>
        <translation>1 … 9、0</translation>
    </message>
    <message>
        <source>Show one series of the legend alone, or all</source>
        <translation>只显示图例中的一个系列，或全部显示</translation>
    </message>
    <message>
        <source>Esc</source>
        <translation>Esc</translation>
    </message>
    <message>
        <source>Clear the selection</source>
        <translation>清除选择</translation>
    </message>
</context>
<context>
    <name>meshslice::ui::ChipBox</name>
    <message>
        <source>chip </source>
        <translation>芯片 </translation>
    </message>
</context>
<context>
    <name>meshslice::ui::ClusterPane</name>
    <message>
        <source>Groups of the plan on the cluster</source>
        <translation>方案的各组在集群上的分布</translation>
    </message>
    <message>
        <source>Left and right, click</source>
        <translation>左右键、点击</translation>
    </message>
    <message>
        <source>Select another chip and see its groups</source>
        <translation>选择其他芯片并查看其各组</translation>
    </message>
</context>
<context>
    <name>meshslice::ui::DetailsPanel</name>
    <message>
        <source>Details of the selection</source>
        <translation>所选内容的详情</translation>
    </message>
    <message>
        <source>There is no result for this scenario.</source>
        <translation>该场景没有结果。</translation>
    </message>
    <message>
        <source>Computing…</source>
        <translation>正在计算…</translation>
    </message>
</context>
<context>
    <name>meshslice::ui::Document</name>
    <message>
        <source>Untitled</source>
        <translation>未命名</translation>
    </message>
    <message>
        <source>A project holds at most %1 variants; delete one first.</source>
        <translation>一个项目最多有 %1 个方案；请先删除一个。</translation>
    </message>
    <message>
        <source>new variant</source>
        <translation>新建方案</translation>
    </message>
    <message>
        <source>name of a variant</source>
        <translation>方案改名</translation>
    </message>
    <message>
        <source>order of the variants</source>
        <translation>调整方案顺序</translation>
    </message>
    <message>
        <source>deletion of a variant</source>
        <translation>删除方案</translation>
    </message>
    <message>
        <source>pinning of a variant</source>
        <translation>固定方案</translation>
    </message>
    <message>
        <source>unpinning of a variant</source>
        <translation>取消固定方案</translation>
    </message>
    <message>
        <source>new mark</source>
        <translation>新建标记</translation>
    </message>
    <message>
        <source>deletion of a mark</source>
        <translation>删除标记</translation>
    </message>
    <message>
        <source>change of a mark</source>
        <translation>修改标记</translation>
    </message>
    <message>
        <source>%1 The old file, if any, is untouched.</source>
        <translation>%1原文件（如果有）未被改动。</translation>
    </message>
</context>
<context>
    <name>meshslice::ui::ExportCommands</name>
    <message>
        <source>Export “%1”</source>
        <translation>导出“%1”</translation>
    </message>
    <message>
        <source>Picture (*.png);;Drawing (*.svg);;Page (*.pdf);;Table (*.csv)</source>
        <translation>图片 (*.png);;矢量图 (*.svg);;页面 (*.pdf);;表格 (*.csv)</translation>
    </message>
    <message>
        <source>The view was not exported</source>
        <translation>视图未导出</translation>
    </message>
    <message>
        <source>Wrote %1</source>
        <translation>已写入 %1</translation>
    </message>
    <message>
        <source>Not all views were exported</source>
        <translation>部分视图未导出</translation>
    </message>
    <message>
        <source>Wrote every view as PNG, SVG, PDF and CSV to %1</source>
        <translation>已将所有视图以 PNG、SVG、PDF 和 CSV 格式写入 %1</translation>
    </message>
    <message>
        <source>Exporting…</source>
        <translation>正在导出…</translation>
    </message>
    <message>
        <source>Export the timeline for Perfetto</source>
        <translation>导出时间线到 Perfetto</translation>
    </message>
    <message>
        <source>Chrome trace (*.json)</source>
        <translation>Chrome trace (*.json)</translation>
    </message>
    <message>
        <source>Writing %1…</source>
        <translation>正在写入 %1…</translation>
    </message>
    <message>
        <source>The trace was not exported</source>
        <translation>trace 未导出</translation>
    </message>
    <message>
        <source>Wrote %1, %2</source>
        <translation>已写入 %1，%2</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Folder for the views</source>
        <translation>存放视图的文件夹</translation>
    </message>
    <message>
        <source>, </source>
        <translation>、</translation>
    </message>
    <message>
        <source>Wrote %1 views as %2 to %3</source>
        <translation>已将 %1 个视图以 %2 写入 %3</translation>
    </message>
    <message>
        <source>Print “%1”</source>
        <translation>打印“%1”</translation>
    </message>
    <message>
        <source>Printed “%1”</source>
        <translation>已打印“%1”</translation>
    </message>
    <message>
        <source>The view was not printed</source>
        <translation>视图未能打印</translation>
    </message>
    <message>
        <source>Write a report</source>
        <translation>写报告</translation>
    </message>
    <message>
        <source>Web page (*.html);;PDF (*.pdf);;Markdown (*.md)</source>
        <translation>网页 (*.html);;PDF (*.pdf);;Markdown (*.md)</translation>
    </message>
    <message>
        <source>The report was not written</source>
        <translation>报告没有写成</translation>
    </message>
</context>
<context>
    <name>meshslice::ui::FieldGroup</name>
    <message>
        <source>Why this is refused</source>
        <translation>为什么不接受</translation>
    </message>
    <message>
        <source>Shows or hides them</source>
        <translation>显示或隐藏它们</translation>
    </message>
</context>
<context>
    <name>meshslice::ui::FigureDialog</name>
    <message>
        <source>Width</source>
        <translation>宽度</translation>
    </message>
    <message>
        <source>Height</source>
        <translation>高度</translation>
    </message>
    <message>
        <source>Size of the letters</source>
        <translation>字号</translation>
    </message>
    <message>
        <source>Ca&amp;ption</source>
        <translation>图注(&amp;P)</translation>
    </message>
    <message>
        <source>Export “%1”</source>
        <translation>导出“%1”</translation>
    </message>
    <message>
        <source>&amp;For</source>
        <translation>用途(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Size</source>
        <translation>尺寸(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Letters</source>
        <translation>字号(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Colours</source>
        <translation>配色(&amp;C)</translation>
    </message>
    <message>
        <source>Sa&amp;ve as…</source>
        <translation>另存为(&amp;V)…</translation>
    </message>
    <message>
        <source>As PNG, SVG or PDF, or the numbers as CSV: the ending of the name says which</source>
        <translation>存为 PNG、SVG 或 PDF 图，或存为 CSV 数据：由文件扩展名决定</translation>
    </message>
    <message>
        <source>Copy the pict&amp;ure</source>
        <translation>复制图片(&amp;U)</translation>
    </message>
    <message>
        <source>Copy the &amp;table</source>
        <translation>复制表格(&amp;T)</translation>
    </message>
    <message>
        <source>Something else</source>
        <translation>其他</translation>
    </message>
    <message>
        <source>Sets size and letters</source>
        <translation>设定尺寸和字号</translation>
    </message>
    <message>
        <source>pixels</source>
        <translation>像素</translation>
    </message>
    <message>
        <source>mm</source>
        <translation>mm</translation>
    </message>
    <message>
        <source>Unit of the size</source>
        <translation>尺寸单位</translation>
    </message>
    <message>
        <source>Pixels of 1/96 inch, or millimetres: a PNG then has 300 dots per inch</source>
        <translation>像素为 1/96 英寸；用毫米时 PNG 为 300 dpi</translation>
    </message>
    <message>
        <source>How wide the figure is</source>
        <translation>图的宽度</translation>
    </message>
    <message>
        <source>How high the figure is, with its caption</source>
        <translation>图的高度，含图注</translation>
    </message>
    <message>
        <source> pt</source>
        <translation> pt</translation>
    </message>
    <message>
        <source>Of the labels in the figure, at its real size; titles are a third larger</source>
        <translation>按图的实际尺寸计算的标签字号；标题再大三分之一</translation>
    </message>
    <message>
        <source>light</source>
        <translation>浅色</translation>
    </message>
    <message>
        <source>dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <source>Paper and slides are light, whatever the window is</source>
        <translation>论文和幻灯片用浅色，与窗口主题无关</translation>
    </message>
    <message>
        <source>A line below the figure that says what it is of</source>
        <translation>图下方的一行说明，注明图的内容</translation>
    </message>
    <message>
        <source>What the line below the figure says</source>
        <translation>图下方说明的文字</translation>
    </message>
    <message>
        <source>Caption</source>
        <translation>图注</translation>
    </message>
    <message>
        <source>Preview</source>
        <translation>预览</translation>
    </message>
    <message>
        <source>A figure of this size cannot be made; each side must be 1 to %1 pixels.</source>
        <translation>无法生成该尺寸的图；每边须为 1 到 %1 像素。</translation>
    </message>
    <message>
        <source>Titl&amp;e</source>
        <translation>标题(&amp;E)</translation>
    </message>
    <message>
        <source>as in the window</source>
        <translation>与窗口相同</translation>
    </message>
    <message>
        <source>Font</source>
        <translation>字体</translation>
    </message>
    <message>
        <source>The font of all letters; a drawing names it, and others of its kind where it is missing</source>
        <translation>所有文字的字体；矢量图会写明它，并写明缺少时可替代的同类字体</translation>
    </message>
    <message>
        <source>What the figure shows, above it; without it the figure has more room</source>
        <translation>图上方的标题；没有标题时图有更多空间</translation>
    </message>
    <message>
        <source>What stands above the figure: its finding, or your own words; empty leaves it out</source>
        <translation>图上方的文字：图的结论或您自己的文字；留空则没有标题</translation>
    </message>
    <message>
        <source>Title</source>
        <translation>标题</translation>
    </message>
    <message>
        <source>%1 must be at least %2 %3.</source>
        <translation>%1至少为 %2 %3。</translation>
    </message>
    <message>
        <source>The width</source>
        <translation>宽度</translation>
    </message>
    <message>
        <source>The height</source>
        <translation>高度</translation>
    </message>
    <message>
        <source>The letters</source>
        <translation>字号</translation>
    </message>
    <message>
        <source>What is wrong with the numbers</source>
        <translation>数值有什么问题</translation>
    </message>
    <message>
        <source>as &amp;high as needed</source>
        <translation>按需要的高度(&amp;H)</translation>
    </message>
    <message>
        <source>&amp;Notes below the picture</source>
        <translation>图下的说明(&amp;N)</translation>
    </message>
    <message>
        <source>The height follows from the width and the letters, so that nothing is cut</source>
        <translation>高度由宽度和字号决定，不会截断任何内容</translation>
    </message>
    <message>
        <source>What the picture says below itself, such as the assumptions it rests on</source>
        <translation>图下方的说明，例如所依据的假设</translation>
    </message>
    <message>
        <source>%1 × %2 mm on paper; as PNG %3 × %4 pixels.</source>
        <translation>纸上 %1 × %2 毫米；PNG 为 %3 × %4 像素。</translation>
    </message>
    <message>
        <source>The letters are of %1 pt, so that all has room.</source>
        <translation>字号为 %1 磅，使全部内容都放得下。</translation>
    </message>
    <message>
        <source>Too small for letters of %1 pt: “%2” is cut.</source>
        <translation>对 %1 磅的字来说太小：“%2”被截断。</translation>
    </message>
    <message>
        <source>Too small for letters of %1 pt: %2 labels are cut, such as “%3”.</source>
        <translation>对 %1 磅的字来说太小：有 %2 处文字被截断，例如“%3”。</translation>
    </message>
</context>
<context>
    <name>meshslice::ui::FileCommands</name>
    <message>
        <source>Open a scenario</source>
        <translation>打开场景</translation>
    </message>
    <message>
        <source>Scenarios and projects (*.json);;All files (*)</source>
        <translation>场景和项目 (*.json);;所有文件 (*)</translation>
    </message>
    <message>
        <source>The scenario was not opened</source>
        <translation>场景未打开</translation>
    </message>
    <message>
        <source>Save the scenario</source>
        <translation>保存场景</translation>
    </message>
    <message>
        <source>Scenarios and projects (*.json)</source>
        <translation>场景和项目 (*.json)</translation>
    </message>
    <message>
        <source>The file has changed</source>
        <translation>文件已改变</translation>
    </message>
    <message>
        <source>%1 was changed by another program since it was opened here. Overwrite it?</source>
        <translation>%1 在这里打开之后被其他程序修改过。要覆盖吗？</translation>
    </message>
    <message>
        <source>The scenario was not saved</source>
        <translation>场景未保存</translation>
    </message>
    <message>
        <source>Another program has changed %1, and there are changes here that are not saved. Read the file again and lose them?</source>
        <translation>其他程序修改了 %1，而这里有未保存的修改。要重新读取文件并放弃这些修改吗？</translation>
    </message>
    <message>
        <source>Another program has changed %1. Read it again?</source>
        <translation>其他程序修改了 %1。要重新读取吗？</translation>
    </message>
    <message>
        <source>&amp;Read it again</source>
        <translation>重新读取(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Keep what is here</source>
        <translation>保留这里的内容(&amp;K)</translation>
    </message>
    <message>
        <source>Save the changes?</source>
        <translation>保存修改吗？</translation>
    </message>
    <message>
        <source>%1 has unsaved changes.</source>
        <translation>%1 有未保存的修改。</translation>
    </message>
    <message>
        <source>No recent files</source>
        <translation>没有最近的文件</translation>
    </message>
    <message>
        <source>Clear this list</source>
        <translation>清空此列表</translation>
    </message>
    <message>
        <source>The clipboard has no scenario; expected a text that begins with meshslice: as &quot;Copy as text&quot; makes it.</source>
        <translation>剪贴板中没有场景；应为以 meshslice: 开头、由“复制为文本”生成的文本。</translation>
    </message>
    <message>
        <source>the clipboard</source>
        <translation>剪贴板</translation>
    </message>
</context>
<context>
    <name>meshslice::ui::Glossary</name>
    <message>
        <source>Source: %1</source>
        <translation>出处：%1</translation>
    </message>
</context>
<context>
    <name>meshslice::ui::GlossaryDialog</name>
    <message>
        <source>No match</source>
        <translation>无匹配</translation>
    </message>
    <message>
        <source>Glossary</source>
        <translation>术语表</translation>
    </message>
    <message>
        <source>Search words and explanations</source>
        <translation>搜索术语和解释</translation>
    </message>
    <message>
        <source>Search the glossary</source>
        <translation>搜索术语表</translation>
    </message>
</context>
<context>
    <name>meshslice::ui::HardwareGroup</name>
    <message>
        <source>Back to the preset</source>
        <translation>恢复预设值</translation>
    </message>
    <message>
        <source>Source: %1</source>
        <translation>出处：%1</translation>
    </message>
    <message>
        <source>Back to %1, what %2 has</source>
        <translation>恢复为 %1（%2 的值）</translation>
    </message>
    <message>
        <source>%1, %2 edited</source>
        <translation>%1，改动 %2 项</translation>
    </message>
</context>
<context>
    <name>meshslice::ui::HeadlineBar</name>
    <message>
        <source>Headline</source>
        <translation>摘要</translation>
    </message>
    <message>
        <source>There is no result for this scenario.</source>
        <translation>该场景没有结果。</translation>
    </message>
    <message>
        <source>Computing the first result…</source>
        <translation>正在计算首个结果…</translation>
    </message>
    <message>
        <source>Estimate: %1</source>
        <translation>估算：%1</translation>
    </message>
    <message>
        <source>This is A itself: show another variant to compare it with A.</source>
        <translation>这就是 A 本身：切换到其他方案才能与 A 比较。</translation>
    </message>
    <message>
        <source>Computing the first plans…</source>
        <translation>正在计算第一批方案…</translation>
    </message>
</context>
<context>
    <name>meshslice::ui::HeatCanvas</name>
    <message>
        <source>Arrows</source>
        <translation>方向键</translation>
    </message>
    <message>
        <source>Move between cells</source>
        <translation>在单元格之间移动</translation>
    </message>
    <message>
        <source>Enter or click</source>
        <translation>Enter 或单击</translation>
    </message>
    <message>
        <source>Take the cell&apos;s values into the scenario</source>
        <translation>把单元格的取值载入场景</translation>
    </message>
</context>
<context>
    <name>meshslice::ui::Lab</name>
    <message>
        <source>drag onto a matrix</source>
        <translation>拖到矩阵上</translation>
    </message>
    <message>
        <source>chips: %1 across</source>
        <translation>芯片：%1 横向</translation>
    </message>
    <message>
        <source>chips: %1 down, %2 across</source>
        <translation>芯片：%1 纵向，%2 横向</translation>
    </message>
    <message>
        <source>chips: %1 down, %2 across, %3 next to each other</source>
        <translation>芯片：%1 纵向，%2 横向，%3 并排</translation>
    </message>
    <message>
        <source>%1, not there yet</source>
        <translation>%1，尚未算出</translation>
    </message>
    <message>
        <source>%1 — changed</source>
        <translation>%1 — 有变化</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 到 %2</translation>
    </message>
    <message>
        <source>Plan %1 of %2: %3</source>
        <translation>方案 %1/%2：%3</translation>
    </message>
    <message>
        <source>Step %1 of %2, %3: %4</source>
        <translation>第 %1/%2 步，%3：%4</translation>
    </message>
    <message>
        <source>%1 reach a chip in %2 = %3.</source>
        <translation>每个芯片收到 %1，用时 %2 = %3。</translation>
    </message>
    <message>
        <source>%1 on each chip, %2 at the peak rate.</source>
        <translation>每个芯片 %1，按峰值速率用时 %2。</translation>
    </message>
    <message>
        <source>a chip: %1, %2</source>
        <translation>每个芯片：%1，%2</translation>
    </message>
    <message>
        <source>; of %1, %2 is major</source>
        <translation>；%1 以 %2 为主</translation>
    </message>
    <message>
        <source>in all: %1</source>
        <translation>合计：%1</translation>
    </message>
    <message>
        <source>chip %1 (%2) has %3</source>
        <translation>芯片 %1（%2）持有 %3</translation>
    </message>
    <message>
        <source>The lab draws meshes of up to three axes and %1 chips; the command line takes larger ones.</source>
        <translation>实验室最多画三个轴、%1 个芯片的网格；命令行可处理更大的网格。</translation>
    </message>
    <message>
        <source>The lab draws arrays of one or two dimensions; the command line takes more.</source>
        <translation>实验室只画一维或二维数组；命令行可处理更多维。</translation>
    </message>
    <message>
        <source>Each of the three arrays needs a name of its own.</source>
        <translation>三个数组的名称必须各不相同。</translation>
    </message>
    <message>
        <source>%1 %2; in training, with both gradients, %3.</source>
        <translation>%1 %2；训练时（含两个梯度）%3。</translation>
    </message>
    <message>
        <source>blocks: %1, partial sums of each: %2, copies: %3</source>
        <translation>块：%1，每块的部分和：%2，副本：%3</translation>
    </message>
    <message>
        <source>blocks: %1, copies of each: %2</source>
        <translation>块：%1，每块的副本：%2</translation>
    </message>
</context>
<context>
    <name>meshslice::ui::LabCanvas</name>
    <message>
        <source>What is typed above cannot be drawn.</source>
        <translation>上面输入的内容无法画出。</translation>
    </message>
    <message>
        <source>Drag a letter of the mesh</source>
        <translation>拖动网格的字母</translation>
    </message>
    <message>
        <source>Onto the rows or columns of a matrix: split them over it, or not any more</source>
        <translation>拖到矩阵的行或列上：沿该轴切分它们，或取消切分</translation>
    </message>
    <message>
        <source>axis %1 of the mesh</source>
        <translation>网格的轴 %1</translation>
    </message>
    <message>
        <source>Drag it onto a matrix: near its left edge it splits the rows, near its upper edge the columns; onto what it splits already, and it does not any more</source>
        <translation>拖到矩阵上：靠近左边缘切分行，靠近上边缘切分列；拖到它已切分的维度上则取消切分</translation>
    </message>
    <message>
        <source>Blocks of the matrices on the chips</source>
        <translation>各芯片上的矩阵块</translation>
    </message>
    <message>
        <source>Left and right</source>
        <translation>左右方向键</translation>
    </message>
    <message>
        <source>Go back and forward by a step of the plan</source>
        <translation>在方案中后退或前进一步</translation>
    </message>
    <message>
        <source>Home and End</source>
        <translation>Home 和 End</translation>
    </message>
    <message>
        <source>Go to the beginning and the end of the plan</source>
        <translation>跳到方案的开始或结束</translation>
    </message>
    <message>
        <source>Up and down, click</source>
        <translation>上下方向键或单击</translation>
    </message>
    <message>
        <source>Outline what another chip holds</source>
        <translation>框出另一个芯片持有的块</translation>
    </message>
    <message>
        <source>chip %1</source>
        <translation>芯片 %1</translation>
    </message>
    <message>
        <source>on chips: %1</source>
        <translation>所在芯片：%1</translation>
    </message>
</context>
<context>
    <name>meshslice::ui::LabView</name>
    <message>
        <source>The type of all elements: how many bytes they take, and at which peak they multiply</source>
        <translation>所有元素的类型：占多少字节，以哪个峰值相乘</translation>
    </message>
    <message>
        <source>Elements</source>
        <translation>元素</translation>
    </message>
    <message>
        <source>Plans and the run of the one that is selected</source>
        <translation>方案及所选方案的运行</translation>
    </message>
    <message>
        <source>Plans</source>
        <translation>方案</translation>
    </message>
    <message>
        <source>Timeline</source>
        <translation>时间线</translation>
    </message>
    <message>
        <source>Torus</source>
        <translation>环面</translation>
    </message>
    <message>
        <source>All plans of the GEMM, the best first</source>
        <translation>该 GEMM 的全部方案，最佳在前</translation>
    </message>
    <message>
        <source>When each core multiplies and each link moves in the plan that is selected</source>
        <translation>所选方案中每个核心何时计算、每条链路何时传输</translation>
    </message>
    <message>
        <source>What every core and link does at a moment, chunk by chunk: Space plays, the full stop and the comma go on and back by an event</source>
        <translation>每个核心和每条链路在某一时刻所做的事，逐块显示：空格键播放，句点和逗号前进和后退一个事件</translation>
    </message>
    <message>
        <source>Not simulated: %1</source>
        <translation>未模拟：%1</translation>
    </message>
    <message>
        <source>Simulated: %1. By formula %2 with the exchange hidden, %3 without.</source>
        <translation>模拟：%1。按公式：若 GEMM 掩盖交换为 %2，若完全不掩盖为 %3。</translation>
    </message>
    <message>
        <source>Copy JAX code</source>
        <translation>复制 JAX 代码</translation>
    </message>
    <message>
        <source>Plans, the best first</source>
        <translation>方案，最佳在前</translation>
    </message>
    <message>
        <source>Sharding lab</source>
        <translation>分片实验室</translation>
    </message>
    <message>
        <source>Mesh</source>
        <translation>网格</translation>
    </message>
    <message>
        <source>The axes of the mesh of chips, one capital letter each: X=4, Y=2. The first is the major one</source>
        <translation>芯片网格的轴，各用一个大写字母：X=4, Y=2。第一个轴为主轴</translation>
    </message>
    <message>
        <source>Sizes</source>
        <translation>尺寸</translation>
    </message>
    <message>
        <source>How long each dimension is: I=4096, J=8Ki</source>
        <translation>每个维度的长度：I=4096, J=8Ki</translation>
    </message>
    <message>
        <source>A, the left matrix</source>
        <translation>A，左矩阵</translation>
    </message>
    <message>
        <source>B, the right matrix</source>
        <translation>B，右矩阵</translation>
    </message>
    <message>
        <source>C, as it is wanted</source>
        <translation>C，所需的结果</translation>
    </message>
    <message>
        <source>%1: type A[I_X, J] for I split over X, with {U_Y} after it for partial sums over Y, or choose. Of I_XY, X is the major axis, as in JAX</source>
        <translation>%1：输入 A[I_X, J] 表示 I 沿 X 切分，其后加 {U_Y} 表示沿 Y 的部分和；也可从列表选择。I_XY 中 X 为主轴，与 JAX 相同</translation>
    </message>
    <message>
        <source>Hardware of the lab</source>
        <translation>实验室的硬件</translation>
    </message>
    <message>
        <source>The chips of the mesh, whose peak, HBM and links set the times</source>
        <translation>网格所用的芯片，其峰值、HBM 和链路决定时间</translation>
    </message>
    <message>
        <source>Previous step</source>
        <translation>上一步</translation>
    </message>
    <message>
        <source>Takes the last step back (Left)</source>
        <translation>撤回上一步（左方向键）</translation>
    </message>
    <message>
        <source>Next step</source>
        <translation>下一步</translation>
    </message>
    <message>
        <source>Does the next step of the plan (Right)</source>
        <translation>执行方案的下一步（右方向键）</translation>
    </message>
    <message>
        <source>The plan as a function under jax.shard_map</source>
        <translation>以 jax.shard_map 函数的形式复制该方案</translation>
    </message>
    <message>
        <source>step %1 of %2</source>
        <translation>第 %1/%2 步</translation>
    </message>
    <message>
        <source>%1 on %2, %3, %4</source>
        <translation>%1，网格 %2，%3，%4</translation>
    </message>
    <message>
        <source>Pages of the lab</source>
        <translation>实验室的页面</translation>
    </message>
    <message>
        <source>Sharding</source>
        <translation>分片 GEMM</translation>
    </message>
    <message>
        <source>Which chip holds which block, and every plan of the GEMM</source>
        <translation>哪个芯片持有哪一块，以及该 GEMM 的全部方案</translation>
    </message>
    <message>
        <source>Stepper</source>
        <translation>单步演示</translation>
    </message>
    <message>
        <source>Algorithms and collectives on small matrices, step by step, every number visible</source>
        <translation>在小矩阵上逐步执行算法和集合通信，每个数字都可见</translation>
    </message>
    <message>
        <source>Blocks</source>
        <translation>块</translation>
    </message>
    <message>
        <source>Which chip holds which block, step by step</source>
        <translation>哪个芯片持有哪一块，逐步显示</translation>
    </message>
</context>
<context>
    <name>meshslice::ui::LatestJob</name>
    <message>
        <source>Not enough memory for this run. Try fewer chips or fewer slices.</source>
        <translation>内存不足，无法运行。请减少芯片数或切片数。</translation>
    </message>
    <message>
        <source>Internal error (please report it): %1.</source>
        <translation>内部错误（请反馈）：%1。</translation>
    </message>
</context>
<context>
    <name>meshslice::ui::Lesson</name>
    <message>
        <source>%1. %2</source>
        <translation>%1. %2</translation>
    </message>
    <message>
        <source>%1 of what? Add the unit, as in %2.</source>
        <translation>%1 什么？请加上单位，例如 %2。</translation>
    </message>
    <message>
        <source>Type a number, such as %1.</source>
        <translation>请输入一个数，例如 %1。</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not a number that is understood here; something like %2 is.</source>
        <translation>这里无法把“%1”理解为一个数；%2 这样的可以。</translation>
    </message>
    <message>
        <source>Right: %1.</source>
        <translation>正确：%1。</translation>
    </message>
    <message>
        <source>Almost: the digits are right, but %1 is off by a prefix (k, M, G; m, µ).</source>
        <translation>差一点：数字对了，但 %1 的词头不对（k、M、G；m、µ）。</translation>
    </message>
    <message>
        <source>Not yet: %1 is too small.</source>
        <translation>还不对：%1 太小。</translation>
    </message>
    <message>
        <source>Not yet: %1 is too large.</source>
        <translation>还不对：%1 太大。</translation>
    </message>
</context>
<context>
    <name>meshslice::ui::LessonCard</name>
    <message>
        <source>more</source>
        <translation>更多</translation>
    </message>
    <message>
        <source>All of the text</source>
        <translation>全部文字</translation>
    </message>
    <message>
        <source>The step before (Left, Page Up)</source>
        <translation>上一步（←、Page Up）</translation>
    </message>
    <message>
        <source>The next step (Right, Page Down)</source>
        <translation>下一步（→、Page Down）</translation>
    </message>
    <message>
        <source>Lesson</source>
        <translation>课程</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>后退</translation>
    </message>
    <message>
        <source>Forward</source>
        <translation>前进</translation>
    </message>
    <message>
        <source>Answer %1</source>
        <translation>答案 %1</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>the end</source>
        <translation>结束</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>第 %1 步，共 %2 步</translation>
    </message>
    <message>
        <source>less</source>
        <translation>更少</translation>
    </message>
</context>
<context>
    <name>meshslice::ui::LessonCourse</name>
    <message>
        <source>step of a lesson</source>
        <translation>课程的一步</translation>
    </message>
    <message>
        <source>A lesson needs a variant of its own, and a project holds at most %1; delete one first.</source>
        <translation>课程需要自己的变体，而一个项目最多有 %1 个；请先删除一个。</translation>
    </message>
    <message>
        <source>beginning of a lesson</source>
        <translation>课程的开始</translation>
    </message>
    <message>
        <source>Lesson: %1</source>
        <translation>课程：%1</translation>
    </message>
    <message>
        <source>end of a lesson</source>
        <translation>课程的结束</translation>
    </message>
</context>
<context>
    <name>meshslice::ui::LessonPanel</name>
    <message>
        <source>Brings the keyboard to what is framed</source>
        <translation>把键盘焦点移到加框的地方</translation>
    </message>
    <message>
        <source>&amp;Check</source>
        <translation>检查(&amp;C)</translation>
    </message>
    <message>
        <source>Asks the engine whether the answer is right (Enter)</source>
        <translation>让引擎检查答案是否正确（回车）</translation>
    </message>
    <message>
        <source>&amp;Hint</source>
        <translation>提示(&amp;H)</translation>
    </message>
    <message>
        <source>Says how to find the answer</source>
        <translation>说明怎样找到答案</translation>
    </message>
    <message>
        <source>Show &amp;me</source>
        <translation>告诉我(&amp;M)</translation>
    </message>
    <message>
        <source>Says the answer, and shows the run that it is of</source>
        <translation>说出答案，并显示它所属的运行</translation>
    </message>
    <message>
        <source>&amp;Reset the step</source>
        <translation>重置本步(&amp;R)</translation>
    </message>
    <message>
        <source>Shows the step again as it was at first</source>
        <translation>把这一步恢复成最初的样子</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>后退</translation>
    </message>
    <message>
        <source>The step before (Alt+Left)</source>
        <translation>上一步（Alt+左）</translation>
    </message>
    <message>
        <source>Back to &amp;my project</source>
        <translation>回到我的项目(&amp;M)</translation>
    </message>
    <message>
        <source>Ends the lesson; what you had before it is shown again</source>
        <translation>结束课程；重新显示之前的内容</translation>
    </message>
    <message>
        <source>Lesson</source>
        <translation>课程</translation>
    </message>
    <message>
        <source>What the engine says to the answer</source>
        <translation>引擎对答案的评价</translation>
    </message>
    <message>
        <source>%1: %2 (step %3 of %4)</source>
        <translation>%1：%2（第 %3 步，共 %4 步）</translation>
    </message>
    <message>
        <source>You were here last time; “Back” goes to the steps before.</source>
        <translation>上次到这里；“后退”回到前面的步骤。</translation>
    </message>
    <message>
        <source>You need: %1</source>
        <translation>需要：%1</translation>
    </message>
    <message>
        <source>a number</source>
        <translation>一个数</translation>
    </message>
    <message>
        <source>as in %1</source>
        <translation>例如 %1</translation>
    </message>
    <message>
        <source>Forward</source>
        <translation>前进</translation>
    </message>
    <message>
        <source>Next lesson</source>
        <translation>下一课</translation>
    </message>
    <message>
        <source>Finish</source>
        <translation>完成</translation>
    </message>
    <message>
        <source>The next step (Alt+Right)</source>
        <translation>下一步（Alt+右）</translation>
    </message>
    <message>
        <source>Go to %1</source>
        <translation>转到“%1”</translation>
    </message>
    <message>
        <source>Computing…</source>
        <translation>正在计算…</translation>
    </message>
    <message>
        <source>The engine has no answer: %1</source>
        <translation>引擎没有答案：%1</translation>
    </message>
    <message>
        <source>The answer is %1.</source>
        <translation>答案是 %1。</translation>
    </message>
    <message>
        <source>The window shows that run now; Reset the step takes it back.</source>
        <translation>窗口现在显示那次运行；“重置本步”可还原。</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>Answer</source>
        <translation>答案</translation>
    </message>
    <message>
        <source>Go to what is framed</source>
        <translation>转到加框处</translation>
    </message>
    <message>
        <source>Answers with this (Alt+%1)</source>
        <translation>用它回答（Alt+%1）</translation>
    </message>
    <message>
        <source>Answer %1</source>
        <translation>答案 %1</translation>
    </message>
    <message>
        <source>%1: the end</source>
        <translation>%1：结束</translation>
    </message>
    <message>
        <source>What do you expect? The picture still shows the step before; your answer shows what happens.</source>
        <translation>你预计会怎样？图中仍是上一步；回答之后就会看到结果。</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>What you have seen (Alt+Right)</source>
        <translation>你看到了什么（Alt+→）</translation>
    </message>
    <message>
        <source>You have seen: %1.</source>
        <translation>你看到了：%1。</translation>
    </message>
    <message>
        <source>Next: %1.</source>
        <translation>下一课：%1。</translation>
    </message>
    <message>
        <source>You said %1; the engine says %2.</source>
        <translation>你的回答是 %1；引擎的答案是 %2。</translation>
    </message>
    <message>
        <source>Right: %1.</source>
        <translation>正确：%1。</translation>
    </message>
    <message>
        <source>You said “%1”; the engine says %2.</source>
        <translation>你的回答是“%1”；引擎的答案是 %2。</translation>
    </message>
    <message>
        <source>Not so. Try another one, or “Show me”.</source>
        <translation>不对。换一个试试，或按“显示答案”。</translation>
    </message>
</context>
<context>
    <name>meshslice::ui::Lessons</name>
    <message>
        <source>Lesson</source>
        <translation>课程</translation>
    </message>
    <message>
        <source>The lesson was not begun</source>
        <translation>课程没有开始</translation>
    </message>
    <message>
        <source>You need: %1</source>
        <translation>需要：%1</translation>
    </message>
    <message>
        <source>&amp;Open a lesson&apos;s file…</source>
        <translation>打开课程文件(&amp;O)…</translation>
    </message>
    <message>
        <source>&amp;Go to the lesson</source>
        <translation>转到课程(&amp;G)</translation>
    </message>
    <message>
        <source>Where none is open, the one that was open last goes on</source>
        <translation>没有打开的课程时，继续上次的课程</translation>
    </message>
    <message>
        <source>Step &amp;forward</source>
        <translation>前进一步(&amp;F)</translation>
    </message>
    <message>
        <source>Step &amp;back</source>
        <translation>后退一步(&amp;B)</translation>
    </message>
    <message>
        <source>&amp;Reset the step</source>
        <translation>重置本步(&amp;R)</translation>
    </message>
    <message>
        <source>Back to &amp;my project</source>
        <translation>回到我的项目(&amp;M)</translation>
    </message>
    <message>
        <source>done</source>
        <translation>已完成</translation>
    </message>
    <message>
        <source>step %1 of %2</source>
        <translation>第 %1/%2 步</translation>
    </message>
    <message>
        <source>The lesson was not opened</source>
        <translation>课程没有打开</translation>
    </message>
    <message>
        <source>Open a lesson</source>
        <translation>打开课程</translation>
    </message>
    <message>
        <source>Lessons (*.json);;All files (*)</source>
        <translation>课程 (*.json);;所有文件 (*)</translation>
    </message>
    <message>
        <source>The lesson is done. Your project is shown again.</source>
        <translation>课程已完成，重新显示你的项目。</translation>
    </message>
</context>
<context>
    <name>meshslice::ui::LimitsPane</name>
    <message>
        <source>Parts of the selected plan</source>
        <translation>所选方案的组成</translation>
    </message>
</context>
<context>
    <name>meshslice::ui::LineupView</name>
    <message>
        <source>W, S</source>
        <translation>W、S</translation>
    </message>
    <message>
        <source>Zoom in and out at the cursor</source>
        <translation>以光标为中心放大、缩小</translation>
    </message>
    <message>
        <source>A, D or Left, Right</source>
        <translation>A、D 或左、右</translation>
    </message>
    <message>
        <source>Move left and right in time</source>
        <translation>沿时间左右移动</translation>
    </message>
    <message>
        <source>Up, Down, Page Up, Page Down</source>
        <translation>上、下、Page Up、Page Down</translation>
    </message>
    <message>
        <source>Scroll the algorithms</source>
        <translation>滚动算法</translation>
    </message>
    <message>
        <source>F</source>
        <translation>F</translation>
    </message>
    <message>
        <source>The GEMM as when the view opens; again: the whole time axis</source>
        <translation>GEMM 恢复为打开视图时的样子；再按一次：整个时间轴</translation>
    </message>
    <message>
        <source>The whole time axis</source>
        <translation>整个时间轴</translation>
    </message>
    <message>
        <source>Drag</source>
        <translation>拖动</translation>
    </message>
    <message>
        <source>Move in time</source>
        <translation>沿时间移动</translation>
    </message>
    <message>
        <source>Wheel, Ctrl+wheel, Shift+wheel</source>
        <translation>滚轮、Ctrl + 滚轮、Shift + 滚轮</translation>
    </message>
    <message>
        <source>Scroll the algorithms, zoom, move in time</source>
        <translation>滚动算法、缩放、沿时间移动</translation>
    </message>
    <message>
        <source>Algorithms</source>
        <translation>算法</translation>
    </message>
    <message>
        <source>GEMM</source>
        <translation>GEMM</translation>
    </message>
    <message>
        <source>The GEMM that every algorithm runs</source>
        <translation>所有算法都运行的 GEMM</translation>
    </message>
    <message>
        <source>Chip</source>
        <translation>芯片</translation>
    </message>
    <message>
        <source>The chip whose core and links are shown</source>
        <translation>显示其核心和链路的芯片</translation>
    </message>
    <message>
        <source>Order</source>
        <translation>顺序</translation>
    </message>
    <message>
        <source>The order of the algorithms, from top to bottom</source>
        <translation>算法从上到下的顺序</translation>
    </message>
    <message>
        <source>in the usual order</source>
        <translation>默认顺序</translation>
    </message>
    <message>
        <source>fastest first</source>
        <translation>最快的在前</translation>
    </message>
    <message>
        <source>Algorithms from top to bottom</source>
        <translation>算法，从上到下</translation>
    </message>
    <message>
        <source>Running every algorithm on this GEMM…</source>
        <translation>正在用每种算法运行这个 GEMM…</translation>
    </message>
    <message>
        <source>%1. Another mesh may suit them.</source>
        <translation>%1。换一种网格也许可行。</translation>
    </message>
    <message>
        <source>Whose algorithms are shown</source>
        <translation>显示谁的算法</translation>
    </message>
    <message>
        <source>The algorithms on A, on B, or on both next to each other, with what B takes against A</source>
        <translation>A 的算法、B 的算法，或两者并列并给出 B 相对 A 的用时</translation>
    </message>
    <message>
        <source>A and B</source>
        <translation>A 与 B</translation>
    </message>
    <message>
        <source>Home, or double click</source>
        <translation>Home，或双击</translation>
    </message>
</context>
<context>
    <name>meshslice::ui::LoadedPlanBar</name>
    <message>
        <source>Let the search choose</source>
        <translation>由搜索选择</translation>
    </message>
    <message>
        <source>Open its tensor-parallel group</source>
        <translation>打开其张量并行组</translation>
    </message>
    <message>
        <source>Makes a variant of one tensor-parallel group of this plan, which the timeline, the torus and the table of GEMMs show</source>
        <translation>把此方案的一个张量并行组做成变体，可在时间线、环面和 GEMM 表中查看</translation>
    </message>
    <message>
        <source>Open its group</source>
        <translation>打开其组</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Pin this plan</source>
        <translation>固定此方案</translation>
    </message>
    <message>
        <source>Pinned plan</source>
        <translation>已固定的方案</translation>
    </message>
    <message>
        <source>Fixes all of the selected plan in the scenario, which keeps it in its file</source>
        <translation>把所选方案全部固定在场景中，并保存在文件里</translation>
    </message>
    <message>
        <source>Frees all parts of the plan that are pinned or fixed</source>
        <translation>释放方案中所有已固定的部分</translation>
    </message>
    <message>
        <source>Pin</source>
        <translation>固定</translation>
    </message>
</context>
<context>
    <name>meshslice::ui::LogPane</name>
    <message>
        <source>Time of each logged step</source>
        <translation>日志中每一步的时间</translation>
    </message>
    <message>
        <source>What the log says</source>
        <translation>日志的内容</translation>
    </message>
</context>
<context>
    <name>meshslice::ui::MachineGroup</name>
    <message>
        <source>%1 has no mesh of %2. The nearest mesh that runs was chosen instead: %3. Undo restores both.</source>
        <translation>%1 没有 %2 的网格，已改用最接近且能运行的网格：%3。撤销可同时恢复两者。</translation>
    </message>
    <message>
        <source>More about the hardware</source>
        <translation>硬件的更多信息</translation>
    </message>
    <message>
        <source>Numbers and sources…</source>
        <translation>参数与出处…</translation>
    </message>
    <message>
        <source>Open hardware file…</source>
        <translation>打开硬件文件…</translation>
    </message>
    <message>
        <source>chips</source>
        <translation>个芯片</translation>
    </message>
    <message>
        <source>Mesh &amp;rows</source>
        <translation>网格行数(&amp;R)</translation>
    </message>
    <message>
        <source>Chips along the vertical axis of the torus (P_r): the number of rows.</source>
        <translation>沿环面纵轴的芯片数 (P_r)，即行数。</translation>
    </message>
    <message>
        <source>Mesh &amp;columns</source>
        <translation>网格列数(&amp;C)</translation>
    </message>
    <message>
        <source>Chips along the horizontal axis of the torus (P_c): the number of columns.</source>
        <translation>沿环面横轴的芯片数 (P_c)，即列数。</translation>
    </message>
    <message>
        <source>Mesh layers</source>
        <translation>网格层数</translation>
    </message>
    <message>
        <source>Chips along the third axis of the torus, for algorithms that keep copies in layers (2.5D, MeshSlice + DP); the hardware&apos;s links must make a torus of three, as those of TPU v4 and v5p do. 1: a mesh of two axes.</source>
        <translation>沿环面第三轴的芯片数，用于分层保存副本的算法（2.5D、MeshSlice + DP）；硬件的链路须构成三轴环面，如 TPU v4 和 v5p。取 1 即为两轴网格。</translation>
    </message>
    <message>
        <source>&lt;p&gt;Other meshes with as many chips. Those on which the algorithm does not run say why.&lt;/p&gt;</source>
        <translation>&lt;p&gt;芯片数相同的其他网格。算法无法运行的会说明原因。&lt;/p&gt;</translation>
    </message>
    <message>
        <source>Looking for meshes…</source>
        <translation>正在查找网格…</translation>
    </message>
    <message>
        <source>Of other chip counts</source>
        <translation>其他芯片数</translation>
    </message>
    <message>
        <source>%1 of %2 chips</source>
        <translation>%1，%2 个芯片</translation>
    </message>
    <message>
        <source>one chip</source>
        <translation>1 个芯片</translation>
    </message>
    <message>
        <source>%1 chips</source>
        <translation>%1 个芯片</translation>
    </message>
    <message>
        <source>%1 = %2; other shapes…</source>
        <translation>%1 = %2；其他形状…</translation>
    </message>
    <message>
        <source>Other meshes of %1</source>
        <translation>%1 的其他网格</translation>
    </message>
    <message>
        <source>Open hardware</source>
        <translation>打开硬件</translation>
    </message>
    <message>
        <source>Hardware (*.json)</source>
        <translation>硬件 (*.json)</translation>
    </message>
    <message>
        <source>The arrows double and halve. 16x16 sets rows and columns at once.</source>
        <translation>箭头按钮翻倍或减半。输入 16x16 可同时设定行和列。</translation>
    </message>
    <message>
        <source>Mine: %1</source>
        <translation>我的：%1</translation>
    </message>
    <message>
        <source>Save as my machine</source>
        <translation>保存为我的机器</translation>
    </message>
    <message>
        <source>Name of the machine</source>
        <translation>机器的名称</translation>
    </message>
    <message>
        <source>Save the machine as a file</source>
        <translation>把机器保存为文件</translation>
    </message>
    <message>
        <source>Save as my machine…</source>
        <translation>保存为我的机器…</translation>
    </message>
    <message>
        <source>Save as a file…</source>
        <translation>另存为文件…</translation>
    </message>
    <message>
        <source>Delete from my machines</source>
        <translation>从我的机器中删除</translation>
    </message>
    <message>
        <source>Chips</source>
        <translation>芯片数</translation>
    </message>
    <message>
        <source>All chips together: the mesh is the squarest of so many on which the algorithm runs, with the wrap-arounds that the machine&apos;s pods have. The arrows double and halve.</source>
        <translation>所有芯片的总数：网格取算法可运行的最接近方形者，环绕按机器的 pod 而定。箭头使其加倍或减半。</translation>
    </message>
</context>
<context>
    <name>meshslice::ui::MachineLine</name>
    <message>
        <source>Plan for the mesh</source>
        <translation>为网格做方案</translation>
    </message>
    <message>
        <source>How many chips are planned for</source>
        <translation>方案针对多少芯片</translation>
    </message>
    <message>
        <source>Plans for as many chips as the mesh has</source>
        <translation>按网格的芯片数做方案</translation>
    </message>
</context>
<context>
    <name>meshslice::ui::MainWindow</name>
    <message>
        <source>+ Variant</source>
        <translation>+ 方案</translation>
    </message>
    <message>
        <source>Scenario</source>
        <translation>场景</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>详情</translation>
    </message>
    <message>
        <source>MeshSlice Explorer</source>
        <translation>MeshSlice Explorer</translation>
    </message>
    <message>
        <source>A copy of unsaved work cannot be read</source>
        <translation>无法读取未保存内容的副本</translation>
    </message>
    <message>
        <source>an untitled scenario</source>
        <translation>未命名的场景</translation>
    </message>
    <message>
        <source>Unsaved work</source>
        <translation>未保存的内容</translation>
    </message>
    <message>
        <source>The program ended before %1 was saved. There is a copy of %2.</source>
        <translation>程序在保存 %1 之前就结束了。留有 %2 的副本。</translation>
    </message>
    <message>
        <source>&amp;Open the copy</source>
        <translation>打开副本(&amp;O)</translation>
    </message>
    <message>
        <source>&amp;Delete it</source>
        <translation>删除副本(&amp;D)</translation>
    </message>
    <message>
        <source>Ask &amp;later</source>
        <translation>以后再问(&amp;L)</translation>
    </message>
    <message>
        <source>%1; F4 shows why</source>
        <translation>%1；按 F4 查看原因</translation>
    </message>
</context>
<context>
    <name>meshslice::ui::ManualDialog</name>
    <message>
        <source>Manual</source>
        <translation>手册</translation>
    </message>
    <message>
        <source>&amp;Back</source>
        <translation>后退(&amp;B)</translation>
    </message>
    <message>
        <source>C&amp;ontents</source>
        <translation>目录(&amp;O)</translation>
    </message>
</context>
<context>
    <name>meshslice::ui::MeasuredView</name>
    <message>
        <source>Open a measured trace…</source>
        <translation>打开实测轨迹…</translation>
    </message>
    <message>
        <source>Use as measured step</source>
        <translation>用作实测每步时间</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Parts of the step</source>
        <translation>训练步的各部分</translation>
    </message>
    <message>
        <source>Measured trace</source>
        <translation>实测轨迹</translation>
    </message>
    <message>
        <source>Timeline of the measured and the predicted step</source>
        <translation>实测与预测训练步的时间线</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>训练步</translation>
    </message>
    <message>
        <source>Which step of the trace is shown</source>
        <translation>显示轨迹中的哪一步</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>Whose streams are shown; the table below has the mean of all devices</source>
        <translation>显示哪个设备的流；下方表格为所有设备的平均</translation>
    </message>
    <message>
        <source>Where the two steps are aligned</source>
        <translation>两个训练步在何处对齐</translation>
    </message>
    <message>
        <source>aligned at the step&apos;s start</source>
        <translation>在训练步开始处对齐</translation>
    </message>
    <message>
        <source>aligned at the first GEMM</source>
        <translation>在第一个 GEMM 处对齐</translation>
    </message>
    <message>
        <source>The measured time becomes the measured step of the training run, which corrects what is expected of its plans; can be undone</source>
        <translation>实测时间成为训练的实测每步时间，并据此修正其方案的预期；可以撤销</translation>
    </message>
    <message>
        <source>How much of the file has been read</source>
        <translation>文件已读取的比例</translation>
    </message>
    <message>
        <source>Open a measured trace</source>
        <translation>打开实测轨迹</translation>
    </message>
    <message>
        <source>all of it</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>step %1 of %2</source>
        <translation>第 %1 步，共 %2 步</translation>
    </message>
    <message>
        <source>all devices</source>
        <translation>所有设备</translation>
    </message>
    <message>
        <source>What is shown is still %1.</source>
        <translation>显示的仍是 %1。</translation>
    </message>
    <message>
        <source>The fit was of another plan or step, and is left out.</source>
        <translation>该拟合针对的是另一个方案或另一个步，未采用。</translation>
    </message>
    <message>
        <source>The plan has %1 chips.</source>
        <translation>该方案有 %1 个芯片。</translation>
    </message>
    <message>
        <source>Nothing is predicted: %1</source>
        <translation>没有预测：%1</translation>
    </message>
    <message>
        <source>What a kernel does is guessed from its name.</source>
        <translation>内核的用途由其名称推测。</translation>
    </message>
    <message>
        <source>Measured: %1</source>
        <translation>实测：%1</translation>
    </message>
    <message>
        <source>mean of all %1</source>
        <translation>全部 %1 步的平均</translation>
    </message>
    <message>
        <source>%1, written by %2; devices: %3.</source>
        <translation>%1，由 %2 写出；设备数：%3。</translation>
    </message>
    <message>
        <source>Fit the machine to this</source>
        <translation>按此拟合机器</translation>
    </message>
    <message>
        <source>What PyTorch&apos;s profiler (Kineto), XProf or this program wrote, .json or .json.gz, Nsight Systems: .sqlite, Chakra&apos;s execution traces: .et; logs of Megatron-LM and of nccl-tests, and what vLLM&apos;s and SGLang&apos;s benchmarks save</source>
        <translation>PyTorch 的性能分析器（Kineto）、XProf 或本程序写出的 .json 或 .json.gz，Nsight Systems 的 .sqlite，Chakra 的执行跟踪 .et；Megatron-LM 和 nccl-tests 的日志，以及 vLLM 和 SGLang 的基准测试保存的文件</translation>
    </message>
    <message>
        <source>Shares of the peak for GEMMs and for attention, the memory&apos;s bandwidth and what the links reach are set so that the prediction is what was measured; can be undone</source>
        <translation>设置 GEMM 和注意力达到的峰值比例、内存带宽以及链路达到的带宽，使预测与实测一致；可以撤销</translation>
    </message>
    <message>
        <source>Traces and logs (*.json *.jsonl *.gz *.sqlite *.et *.log *.txt *.out);;All files (*)</source>
        <translation>跟踪和日志 (*.json *.jsonl *.gz *.sqlite *.et *.log *.txt *.out);;所有文件 (*)</translation>
    </message>
    <message>
        <source>Open what a profiler recorded of a step: PyTorch&apos;s profiler (Kineto) or XProf, .json or .json.gz, or Nsight Systems, .sqlite. The measured step then stands above the step of the selected plan, on one axis of time, and a table holds their parts against each other. Or open a log of Megatron-LM, or what vLLM&apos;s or SGLang&apos;s benchmark of a server saved.</source>
        <translation>打开分析器对一个训练步的记录：PyTorch 分析器（Kineto）或 XProf，.json 或 .json.gz，或 Nsight Systems 的 .sqlite。实测的训练步随后与所选方案的训练步上下排列在同一时间轴上，表格将各部分相互对照。也可打开 Megatron-LM 的日志，或 vLLM 或 SGLang 的服务器基准测试保存的文件。</translation>
    </message>
    <message>
        <source>This is a prediction that MeshSlice Explorer wrote; nothing of it is measured.</source>
        <translation>这是 MeshSlice Explorer 写出的预测，其中没有任何实测。</translation>
    </message>
</context>
<context>
    <name>meshslice::ui::Menus</name>
    <message>
        <source>&amp;File</source>
        <translation>文件(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;New</source>
        <translation>新建(&amp;N)</translation>
    </message>
    <message>
        <source>&amp;Open…</source>
        <translation>打开(&amp;O)…</translation>
    </message>
    <message>
        <source>Open &amp;recent</source>
        <translation>打开最近的文件(&amp;R)</translation>
    </message>
    <message>
        <source>E&amp;xamples</source>
        <translation>示例(&amp;X)</translation>
    </message>
    <message>
        <source>&amp;Save</source>
        <translation>保存(&amp;S)</translation>
    </message>
    <message>
        <source>Save &amp;as…</source>
        <translation>另存为(&amp;A)…</translation>
    </message>
    <message>
        <source>Open a &amp;model&apos;s config.json…</source>
        <translation>打开模型的 config.json(&amp;M)…</translation>
    </message>
    <message>
        <source>Open a &amp;hardware file…</source>
        <translation>打开硬件文件(&amp;H)…</translation>
    </message>
    <message>
        <source>&amp;Export this view…</source>
        <translation>导出此视图(&amp;E)…</translation>
    </message>
    <message>
        <source>Export a&amp;ll views…</source>
        <translation>导出全部视图(&amp;L)…</translation>
    </message>
    <message>
        <source>Export for &amp;Perfetto (Chrome trace)…</source>
        <translation>导出到 Perfetto（Chrome trace）(&amp;P)…</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>退出(&amp;Q)</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>编辑(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;Undo</source>
        <translation>撤销(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation>重做(&amp;R)</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Redo</source>
        <translation>重做</translation>
    </message>
    <message>
        <source>Run &amp;again</source>
        <translation>重新运行(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;Cancel the run</source>
        <translation>取消运行(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Verify on real matrices…</source>
        <translation>用真实矩阵验证(&amp;V)…</translation>
    </message>
    <message>
        <source>Verification</source>
        <translation>验证</translation>
    </message>
    <message>
        <source>Runs every GEMM chip by chip and hop by hop, and compares with the plain one</source>
        <translation>逐芯片、逐跳运行每个 GEMM，并与普通乘法对比</translation>
    </message>
    <message>
        <source>Find the best &amp;dataflow…</source>
        <translation>寻找最佳数据流(&amp;D)…</translation>
    </message>
    <message>
        <source>Best dataflow</source>
        <translation>最佳数据流</translation>
    </message>
    <message>
        <source>Which matrix of each layer should stay on its chip, and what it saves</source>
        <translation>每一层中哪个矩阵应驻留在芯片上，能省多少时间</translation>
    </message>
    <message>
        <source>Varia&amp;nts</source>
        <translation>方案(&amp;N)</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>视图(&amp;V)</translation>
    </message>
    <message>
        <source>Two &amp;pictures side by side</source>
        <translation>并排显示两幅图(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Scenario</source>
        <translation>场景(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Details</source>
        <translation>详情(&amp;D)</translation>
    </message>
    <message>
        <source>&amp;Theme</source>
        <translation>主题(&amp;T)</translation>
    </message>
    <message>
        <source>Lan&amp;guage</source>
        <translation>语言 (Language)(&amp;G)</translation>
    </message>
    <message>
        <source>&amp;Larger text</source>
        <translation>放大文字(&amp;L)</translation>
    </message>
    <message>
        <source>S&amp;maller text</source>
        <translation>缩小文字(&amp;M)</translation>
    </message>
    <message>
        <source>&amp;Normal text</source>
        <translation>正常文字(&amp;N)</translation>
    </message>
    <message>
        <source>La&amp;yout</source>
        <translation>布局(&amp;Y)</translation>
    </message>
    <message>
        <source>&amp;Explore</source>
        <translation>探索(&amp;E)</translation>
    </message>
    <message>
        <source>The scenario, one picture and the details</source>
        <translation>场景、一幅图和详情</translation>
    </message>
    <message>
        <source>&amp;Compare</source>
        <translation>对比(&amp;C)</translation>
    </message>
    <message>
        <source>Two pictures side by side, with the variants above them</source>
        <translation>并排两幅图，上方是各方案</translation>
    </message>
    <message>
        <source>&amp;Teach</source>
        <translation>教学(&amp;T)</translation>
    </message>
    <message>
        <source>Large letters, the timeline and the torus, and nothing else</source>
        <translation>大字号，只有时间线和环面</translation>
    </message>
    <message>
        <source>T&amp;une</source>
        <translation>调优(&amp;U)</translation>
    </message>
    <message>
        <source>The tuner and the details</source>
        <translation>调优视图和详情</translation>
    </message>
    <message>
        <source>&amp;Reset the layout</source>
        <translation>恢复默认布局(&amp;R)</translation>
    </message>
    <message>
        <source>The window as a new user sees it</source>
        <translation>新用户看到的窗口</translation>
    </message>
    <message>
        <source>Follow the &amp;system</source>
        <translation>跟随系统(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Light</source>
        <translation>浅色(&amp;L)</translation>
    </message>
    <message>
        <source>Dar&amp;k</source>
        <translation>深色(&amp;K)</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>帮助(&amp;H)</translation>
    </message>
    <message>
        <source>&amp;Welcome</source>
        <translation>欢迎(&amp;W)</translation>
    </message>
    <message>
        <source>&amp;Find an action or a field…</source>
        <translation>查找操作或字段(&amp;F)…</translation>
    </message>
    <message>
        <source>&amp;Keys</source>
        <translation>按键(&amp;K)</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>按键</translation>
    </message>
    <message>
        <source>&amp;Glossary</source>
        <translation>术语表(&amp;G)</translation>
    </message>
    <message>
        <source>&amp;About</source>
        <translation>关于(&amp;A)</translation>
    </message>
    <message>
        <source>About MeshSlice Explorer</source>
        <translation>关于 MeshSlice Explorer</translation>
    </message>
    <message>
        <source>About &amp;Qt</source>
        <translation>关于 Qt(&amp;Q)</translation>
    </message>
    <message>
        <source>There is no variant of that name any more.</source>
        <translation>已没有这个名称的方案。</translation>
    </message>
    <message>
        <source>The scenario has changed since; search again.</source>
        <translation>场景此后已改变；请重新搜索。</translation>
    </message>
    <message>
        <source>The new language is used after a restart.</source>
        <translation>重新启动程序后使用新语言。</translation>
    </message>
    <message>
        <source>&amp;Lessons</source>
        <translation>课程(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Manual</source>
        <translation>手册(&amp;M)</translation>
    </message>
    <message>
        <source>Recor&amp;d for slides…</source>
        <translation>为幻灯片录制(&amp;D)…</translation>
    </message>
    <message>
        <source>To a larger scale</source>
        <translation>到更大的尺度</translation>
    </message>
    <message>
        <source>To a smaller scale</source>
        <translation>到更小的尺度</translation>
    </message>
    <message>
        <source>All pages</source>
        <translation>所有页面</translation>
    </message>
    <message>
        <source>How far to &amp;trust a result</source>
        <translation>结果有多可信(&amp;T)</translation>
    </message>
    <message>
        <source>Write a repor&amp;t…</source>
        <translation>写报告(&amp;T)…</translation>
    </message>
    <message>
        <source>For a review: the question, the answer, how far to trust it, what would change it</source>
        <translation>供评审用：问题、答案、可信程度、什么会改变它</translation>
    </message>
    <message>
        <source>Open a meas&amp;ured trace…</source>
        <translation>打开实测轨迹(&amp;U)…</translation>
    </message>
    <message>
        <source>What a profiler recorded of a step, next to what the plan says</source>
        <translation>分析器对一个训练步的记录，与方案的预测对照</translation>
    </message>
    <message>
        <source>&amp;Copy as text</source>
        <translation>复制为文本(&amp;C)</translation>
    </message>
    <message>
        <source>The scenario as one text for a message, which the command line takes too</source>
        <translation>把场景变成一段可放入消息的文本，命令行也接受它</translation>
    </message>
    <message>
        <source>Paste from the clip&amp;board</source>
        <translation>从剪贴板粘贴(&amp;B)</translation>
    </message>
</context>
<context>
    <name>meshslice::ui::MethodGroup</name>
    <message>
        <source>Does not run here:</source>
        <translation>在这里无法运行：</translation>
    </message>
    <message>
        <source>No effect: this variant is compared with A, “%1”. Unpin A in the menu Variants to compare with an algorithm.</source>
        <translation>不起作用：此方案正在与 A“%1”比较。要与某个算法比较，请在“方案”菜单中取消固定 A。</translation>
    </message>
    <message>
        <source>%1 at most</source>
        <translation>最多 %1</translation>
    </message>
    <message>
        <source>%1 (does not fit)</source>
        <translation>%1（放不下）</translation>
    </message>
</context>
<context>
    <name>meshslice::ui::PaintedView</name>
    <message>
        <source>The picture is being updated.</source>
        <translation>图正在更新。</translation>
    </message>
</context>
<context>
    <name>meshslice::ui::Palette</name>
    <message>
        <source>chosen</source>
        <translation>已选</translation>
    </message>
    <message>
        <source>Scenario &gt; %1</source>
        <translation>场景 &gt; %1</translation>
    </message>
    <message>
        <source>Sweep: %1</source>
        <translation>扫描：%1</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>Help &gt; Glossary</source>
        <translation>帮助 &gt; 术语表</translation>
    </message>
    <message>
        <source>Help &gt; Manual</source>
        <translation>帮助 &gt; 手册</translation>
    </message>
</context>
<context>
    <name>meshslice::ui::PaletteDialog</name>
    <message>
        <source>Find an action or a field</source>
        <translation>查找操作或字段</translation>
    </message>
    <message>
        <source>Type what you want to do or change</source>
        <translation>输入想做的事或想改的参数</translation>
    </message>
    <message>
        <source>What to find</source>
        <translation>查找内容</translation>
    </message>
    <message>
        <source>The arrow keys choose among what is found, Enter takes it.</source>
        <translation>方向键在结果中选择，Enter 执行。</translation>
    </message>
    <message>
        <source>What is found</source>
        <translation>查找结果</translation>
    </message>
    <message>
        <source>No match. Found here are actions, fields, views, studies, examples, lessons, presets, words of the glossary and pages of the manual.</source>
        <translation>无匹配。这里可以找到操作、字段、视图、研究、示例、课程、预设、术语和手册页。</translation>
    </message>
</context>
<context>
    <name>meshslice::ui::PathView</name>
    <message>
        <source>Critical path</source>
        <translation>关键路径</translation>
    </message>
    <message>
        <source>Choosing a line selects its bar in all views; Enter shows it in the timeline.</source>
        <translation>选择一行会在所有视图中选中对应的条块；按 Enter 在时间线中显示。</translation>
    </message>
    <message>
        <source>Up and down</source>
        <translation>上、下</translation>
    </message>
    <message>
        <source>Select the bar of the next or the previous line; the timeline goes there</source>
        <translation>选择下一行或上一行的条块；时间线随之移动</translation>
    </message>
    <message>
        <source>Enter or double click</source>
        <translation>Enter 或双击</translation>
    </message>
    <message>
        <source>Show the bar in the timeline</source>
        <translation>在时间线中显示该条块</translation>
    </message>
    <message>
        <source>Ctrl+A, Ctrl+C</source>
        <translation>Ctrl+A、Ctrl+C</translation>
    </message>
    <message>
        <source>Copy the whole list for a spreadsheet; Ctrl+C alone, the chosen lines</source>
        <translation>复制整个列表到电子表格；只按 Ctrl+C 则复制所选的行</translation>
    </message>
    <message>
        <source>Looking for the critical path…</source>
        <translation>正在查找关键路径…</translation>
    </message>
    <message>
        <source>There is no critical path of this run.</source>
        <translation>本次运行没有关键路径。</translation>
    </message>
    <message>
        <source>What waits for what is not followed where GPUs make GEMMs in stages. The details say what bounds the run and what contention for memory costs it.</source>
        <translation>GPU 分阶段计算 GEMM 时，不追踪各操作之间的等待关系。详情中说明运行受什么限制，以及争用内存的代价。</translation>
    </message>
    <message>
        <source>The table has the first %L1 of %L2 activities.</source>
        <translation>表中是 %L2 个操作中的前 %L1 个。</translation>
    </message>
    <message>
        <source>What the critical path is made of</source>
        <translation>关键路径的构成</translation>
    </message>
    <message>
        <source>Shares of the chain of activities that sets the time of the run. While the core waits, the chain goes over links or over slower chips.</source>
        <translation>决定运行时间的操作链中各部分的占比。核心等待时，这条链经过链路或较慢的芯片。</translation>
    </message>
    <message>
        <source>%1, %2.</source>
        <translation>%1，%2。</translation>
    </message>
    <message>
        <source>Each &amp;hop by itself</source>
        <translation>逐跳列出(&amp;H)</translation>
    </message>
    <message>
        <source>Every synchronization and transfer of a link has a line of its own</source>
        <translation>链路的每次同步和传输各占一行</translation>
    </message>
</context>
<context>
    <name>meshslice::ui::PictureArea</name>
    <message>
        <source>Pictures</source>
        <translation>图</translation>
    </message>
    <message>
        <source>More pictures</source>
        <translation>更多的图</translation>
    </message>
</context>
<context>
    <name>meshslice::ui::PictureColumn</name>
    <message>
        <source>Pages</source>
        <translation>页面</translation>
    </message>
</context>
<context>
    <name>meshslice::ui::PictureExport</name>
    <message>
        <source>The scenario was edited during the export. Export it again.</source>
        <translation>导出期间场景被修改。请重新导出。</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
</context>
<context>
    <name>meshslice::ui::PipelinePane</name>
    <message>
        <source>Timeline of the pipeline</source>
        <translation>流水线的时间线</translation>
    </message>
    <message>
        <source>W and S, Ctrl+wheel</source>
        <translation>W 和 S、Ctrl+滚轮</translation>
    </message>
    <message>
        <source>Zoom into the pipeline&apos;s time and out</source>
        <translation>放大和缩小流水线的时间</translation>
    </message>
    <message>
        <source>A and D, left and right, drag</source>
        <translation>A 和 D、左右键、拖动</translation>
    </message>
    <message>
        <source>Move in time</source>
        <translation>沿时间移动</translation>
    </message>
    <message>
        <source>Up and down</source>
        <translation>上、下</translation>
    </message>
    <message>
        <source>Select a stage</source>
        <translation>选择一级</translation>
    </message>
    <message>
        <source>Show the whole step</source>
        <translation>显示整步</translation>
    </message>
    <message>
        <source>Enter or double click</source>
        <translation>Enter 或双击</translation>
    </message>
    <message>
        <source>Go into a bar: a pass, a block, a task, a collective</source>
        <translation>进入一个条：一次传递、一个块、一个任务、一次集合通信</translation>
    </message>
    <message>
        <source>Backspace</source>
        <translation>退格键</translation>
    </message>
    <message>
        <source>Go back out</source>
        <translation>返回外层</translation>
    </message>
    <message>
        <source>Home, or double click elsewhere</source>
        <translation>Home，或在别处双击</translation>
    </message>
    <message>
        <source>Computing the pipeline of A…</source>
        <translation>正在计算 A 的流水线…</translation>
    </message>
</context>
<context>
    <name>meshslice::ui::PlanCellEditor</name>
    <message>
        <source>auto</source>
        <translation>自动</translation>
    </message>
</context>
<context>
    <name>meshslice::ui::PlanPane</name>
    <message>
        <source>Plans are searched first.</source>
        <translation>先要搜索方案。</translation>
    </message>
    <message>
        <source>Computing…</source>
        <translation>正在计算…</translation>
    </message>
    <message>
        <source>This is computed when it is opened.</source>
        <translation>打开时才计算。</translation>
    </message>
</context>
<context>
    <name>meshslice::ui::PlanTableModel</name>
    <message>
        <source>Fixed. Double click, F2 or Enter changes it; auto leaves it to the search.</source>
        <translation>已固定。双击、F2 或 Enter 可更改；auto 交给搜索。</translation>
    </message>
    <message>
        <source>Chosen by the search. Double click, F2 or Enter fixes it.</source>
        <translation>由搜索选择。双击、F2 或 Enter 可固定。</translation>
    </message>
</context>
<context>
    <name>meshslice::ui::PlannerView</name>
    <message>
        <source>Plan</source>
        <translation>规划</translation>
    </message>
    <message>
        <source>Ranked plans, their time by part</source>
        <translation>方案排名，按部分列出时间</translation>
    </message>
    <message>
        <source>Time of the plans against their memory</source>
        <translation>方案的时间与内存</translation>
    </message>
    <message>
        <source>Cluster</source>
        <translation>集群</translation>
    </message>
    <message>
        <source>Chips in fast domains within a slower network, or the torus of a TPU</source>
        <translation>由较慢的网络相连的快速域中的芯片，或 TPU 的环面</translation>
    </message>
    <message>
        <source>Strategy</source>
        <translation>策略</translation>
    </message>
    <message>
        <source>How GEMMs are split over the chips of a tensor-parallel group</source>
        <translation>GEMM 如何在一个张量并行组的芯片间切分</translation>
    </message>
    <message>
        <source>Number of chips</source>
        <translation>芯片数</translation>
    </message>
    <message>
        <source>Chips that share the run, over all domains</source>
        <translation>参与训练的芯片总数，含所有域</translation>
    </message>
    <message>
        <source>Tokens of the training</source>
        <translation>训练的 token 数</translation>
    </message>
    <message>
        <source>Tokens that the whole training sees, such as 1T: the answer says its days</source>
        <translation>整个训练所见的 token 数，如 1T：答案会给出所需天数</translation>
    </message>
    <message>
        <source>such as 1T</source>
        <translation>如 1T</translation>
    </message>
    <message>
        <source>Why this is refused</source>
        <translation>为什么不接受</translation>
    </message>
    <message>
        <source>chips</source>
        <translation>个芯片</translation>
    </message>
    <message>
        <source>tokens</source>
        <translation>个 token</translation>
    </message>
    <message>
        <source>The plans</source>
        <translation>方案</translation>
    </message>
    <message>
        <source>%1 The picture is still the last plan.</source>
        <translation>%1图中仍是上一个方案。</translation>
    </message>
    <message>
        <source>Plans are searched when this view is opened.</source>
        <translation>打开此视图时搜索方案。</translation>
    </message>
    <message>
        <source>%1, batch %2 x %3 tokens; plans for %4 chips: %5</source>
        <translation>%1，批大小 %2 × %3 token；%4 个芯片的方案：%5</translation>
    </message>
    <message>
        <source>Pages of the plan</source>
        <translation>方案的各页</translation>
    </message>
    <message>
        <source>Ranked plans</source>
        <translation>方案排名</translation>
    </message>
    <message>
        <source>The best plans, and time against memory</source>
        <translation>最佳方案，以及时间与内存的关系</translation>
    </message>
    <message>
        <source>Pipeline</source>
        <translation>流水线</translation>
    </message>
    <message>
        <source>What the stages of the selected plan do as time goes by, and the memory they hold</source>
        <translation>所选方案各级随时间的活动和占用的内存</translation>
    </message>
    <message>
        <source>Where the groups of the selected plan stand, and what crosses the slow network</source>
        <translation>所选方案各组的位置，以及经过慢速网络的数据</translation>
    </message>
    <message>
        <source>The best plan for fewer and for more chips</source>
        <translation>芯片更少和更多时的最佳方案</translation>
    </message>
    <message>
        <source>Enter or click in a chart</source>
        <translation>在图表中按 Enter 或单击</translation>
    </message>
    <message>
        <source>Machine</source>
        <translation>机器</translation>
    </message>
    <message>
        <source>The %1</source>
        <translation>%1</translation>
    </message>
    <message>
        <source>Fixed: %1.</source>
        <translation>已固定：%1。</translation>
    </message>
    <message>
        <source>Fixed: %1. The search chooses the rest.</source>
        <translation>已固定：%1。其余由搜索选择。</translation>
    </message>
    <message>
        <source>The pinned plan, %1, does not fit this scenario, so the search chooses. %2</source>
        <translation>固定的方案 %1 不适合此场景，因此由搜索选择。%2</translation>
    </message>
    <message>
        <source>B has %1.</source>
        <translation>B 有 %1。</translation>
    </message>
    <message>
        <source>Enter, F2 or double click on dp, pp, tp, micro-batch, schedule, recompute or ZeRO</source>
        <translation>在 dp、pp、tp、微批次、调度、重计算或 ZeRO 上按 Enter、F2 或双击</translation>
    </message>
    <message>
        <source>Fix this part of the plan; auto leaves it to the search</source>
        <translation>固定方案的这一部分；auto 交给搜索</translation>
    </message>
    <message>
        <source>Enter or double click on another cell</source>
        <translation>在其他单元格上按 Enter 或双击</translation>
    </message>
    <message>
        <source>Pin the plan</source>
        <translation>固定方案</translation>
    </message>
    <message>
        <source>Parts</source>
        <translation>组成</translation>
    </message>
    <message>
        <source>What the selected plan takes its time and its memory for</source>
        <translation>所选方案的时间和内存用在哪里</translation>
    </message>
    <message>
        <source>Select a plan</source>
        <translation>选择一个方案</translation>
    </message>
    <message>
        <source>Order of the plans</source>
        <translation>方案的顺序</translation>
    </message>
    <message>
        <source>By what measured runs let expect, where that is known, or by what the machine&apos;s numbers allow</source>
        <translation>按实测运行给出的预期时间（在已知时），或按机器数值所允许的时间</translation>
    </message>
</context>
<context>
    <name>meshslice::ui::Plans</name>
    <message>
        <source>Computing…</source>
        <translation>正在计算…</translation>
    </message>
    <message>
        <source>Plans are searched when a view asks for them.</source>
        <translation>有视图需要时才搜索方案。</translation>
    </message>
</context>
<context>
    <name>meshslice::ui::Print</name>
    <message>
        <source>The printer could not begin. Is it switched on and free?</source>
        <translation>打印机无法开始。它是否已开机且空闲？</translation>
    </message>
</context>
<context>
    <name>meshslice::ui::ProductsView</name>
    <message>
        <source>GEMMs of the step</source>
        <translation>本步的各个 GEMM</translation>
    </message>
    <message>
        <source>Choosing a row selects the GEMM in all views.</source>
        <translation>选择一行会在所有视图中选中该 GEMM。</translation>
    </message>
    <message>
        <source>Up and down</source>
        <translation>上、下</translation>
    </message>
    <message>
        <source>Select the next or the previous GEMM</source>
        <translation>选择下一个或上一个 GEMM</translation>
    </message>
    <message>
        <source>Ctrl+A, Ctrl+C</source>
        <translation>Ctrl+A、Ctrl+C</translation>
    </message>
    <message>
        <source>Copy the whole table for a spreadsheet; Ctrl+C alone, the chosen rows</source>
        <translation>复制整个表到电子表格；只按 Ctrl+C 则复制所选的行</translation>
    </message>
    <message>
        <source>total</source>
        <translation>合计</translation>
    </message>
    <message>
        <source>&amp;All columns</source>
        <translation>全部列(&amp;A)</translation>
    </message>
    <message>
        <source>Also what the links and the core do for how long, and the slices</source>
        <translation>还包括链路和核心各做多久，以及切片数</translation>
    </message>
</context>
<context>
    <name>meshslice::ui::Projector</name>
    <message>
        <source>Projector: this picture on the whole screen</source>
        <translation>投影：整个屏幕显示此图</translation>
    </message>
    <message>
        <source>One picture with the letters of a slide; Escape or F11 leaves</source>
        <translation>一张图，幻灯片大小的字；按 Escape 或 F11 退出</translation>
    </message>
</context>
<context>
    <name>meshslice::ui::QuestionForm</name>
    <message>
        <source>Choose…</source>
        <translation>选择…</translation>
    </message>
    <message>
        <source>Choose a file</source>
        <translation>选择文件</translation>
    </message>
    <message>
        <source>Shows or hides these fields</source>
        <translation>显示或隐藏这些字段</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1（%2）</translation>
    </message>
</context>
<context>
    <name>meshslice::ui::QuestionPage</name>
    <message>
        <source>What the answer shows</source>
        <translation>答案显示的内容</translation>
    </message>
</context>
<context>
    <name>meshslice::ui::RecordDialog</name>
    <message>
        <source>Torus</source>
        <translation>环面</translation>
    </message>
    <message>
        <source>Stepper</source>
        <translation>单步演示</translation>
    </message>
    <message>
        <source>Open the stepper in the lab first.</source>
        <translation>请先在实验室中打开单步演示。</translation>
    </message>
    <message>
        <source>Record for slides</source>
        <translation>为幻灯片录制</translation>
    </message>
    <message>
        <source>animated GIF</source>
        <translation>GIF 动画</translation>
    </message>
    <message>
        <source>a row of PNG files</source>
        <translation>一系列 PNG 文件</translation>
    </message>
    <message>
        <source>%1 × %2 pixels</source>
        <translation>%1 × %2 像素</translation>
    </message>
    <message>
        <source>light</source>
        <translation>浅色</translation>
    </message>
    <message>
        <source>dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <source> s</source>
        <translation> 秒</translation>
    </message>
    <message>
        <source> a second</source>
        <translation> 张/秒</translation>
    </message>
    <message>
        <source>What is recorded</source>
        <translation>录制内容</translation>
    </message>
    <message>
        <source>Progress of the recording</source>
        <translation>录制进度</translation>
    </message>
    <message>
        <source>&amp;Picture</source>
        <translation>图(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Format</source>
        <translation>格式(&amp;F)</translation>
    </message>
    <message>
        <source>Si&amp;ze</source>
        <translation>大小(&amp;Z)</translation>
    </message>
    <message>
        <source>&amp;Colours</source>
        <translation>配色(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Lasts</source>
        <translation>时长(&amp;L)</translation>
    </message>
    <message>
        <source>P&amp;ictures</source>
        <translation>张数(&amp;I)</translation>
    </message>
    <message>
        <source>&amp;Save as…</source>
        <translation>另存为(&amp;S)…</translation>
    </message>
    <message>
        <source>The recording was given up; nothing was written.</source>
        <translation>录制已放弃；没有写入任何文件。</translation>
    </message>
    <message>
        <source>%1 pictures, one for each step.</source>
        <translation>%1 张，每步一张。</translation>
    </message>
    <message>
        <source>%1 pictures, of the stretch of time that is seen.</source>
        <translation>%1 张，取当前可见的时间段。</translation>
    </message>
    <message>
        <source>Record</source>
        <translation>录制</translation>
    </message>
    <message>
        <source>GIF (*.gif)</source>
        <translation>GIF (*.gif)</translation>
    </message>
    <message>
        <source>PNG (*.png)</source>
        <translation>PNG (*.png)</translation>
    </message>
    <message>
        <source>Written: %1</source>
        <translation>已写入：%1</translation>
    </message>
    <message>
        <source>Written: %1 and what follows</source>
        <translation>已写入：%1 及其后各张</translation>
    </message>
</context>
<context>
    <name>meshslice::ui::RooflineView</name>
    <message>
        <source>%1 without faults</source>
        <translation>%1（无故障）</translation>
    </message>
    <message>
        <source>This GEMM of %1 is bound by %2</source>
        <translation>%1 的这个 GEMM 受%2限制</translation>
    </message>
    <message>
        <source>1 of %1 GEMMs of %2 is bound by %3</source>
        <translation>%2 的 %1 个 GEMM 中有 1 个受%3限制</translation>
    </message>
    <message>
        <source>%1 of %2 GEMMs of %3 are bound by %4</source>
        <translation>%3 的 %2 个 GEMM 中有 %1 个受%4限制</translation>
    </message>
    <message>
        <source>links</source>
        <translation>链路</translation>
    </message>
    <message>
        <source>memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>latency</source>
        <translation>延迟</translation>
    </message>
    <message>
        <source>compute</source>
        <translation>计算</translation>
    </message>
    <message>
        <source>No single part of the machine bounds a GEMM of %1</source>
        <translation>%1 的 GEMM 都不受机器的某一部分限制</translation>
    </message>
    <message>
        <source>Roofline</source>
        <translation>Roofline</translation>
    </message>
    <message>
        <source>There are no GEMMs to show in the roofline.</source>
        <translation>没有可画在 Roofline 中的 GEMM。</translation>
    </message>
</context>
<context>
    <name>meshslice::ui::RunPane</name>
    <message>
        <source>W and S, Ctrl+wheel</source>
        <translation>W 和 S、Ctrl+滚轮</translation>
    </message>
    <message>
        <source>Zoom into the time and out</source>
        <translation>放大和缩小时间</translation>
    </message>
    <message>
        <source>A and D, left and right, drag</source>
        <translation>A 和 D、左右键、拖动</translation>
    </message>
    <message>
        <source>Move in time</source>
        <translation>沿时间移动</translation>
    </message>
    <message>
        <source>Up and down</source>
        <translation>上、下</translation>
    </message>
    <message>
        <source>Select a row</source>
        <translation>选择一行</translation>
    </message>
    <message>
        <source>Enter or double click</source>
        <translation>Enter 或双击</translation>
    </message>
    <message>
        <source>Go into a bar</source>
        <translation>进入一个条块</translation>
    </message>
    <message>
        <source>Backspace</source>
        <translation>退格键</translation>
    </message>
    <message>
        <source>Go back out</source>
        <translation>返回外层</translation>
    </message>
    <message>
        <source>Home, or double click elsewhere</source>
        <translation>Home，或在别处双击</translation>
    </message>
    <message>
        <source>Show all of the time</source>
        <translation>显示全部时间</translation>
    </message>
</context>
<context>
    <name>meshslice::ui::RunStatus</name>
    <message>
        <source>under 1 ms</source>
        <translation>不到 1 ms</translation>
    </message>
    <message>
        <source>estimated in %1</source>
        <translation>估算用时 %1</translation>
    </message>
    <message>
        <source>one busy interval simulated in %1</source>
        <translation>仿真一个忙碌区间，用时 %1</translation>
    </message>
    <message>
        <source>%1 busy intervals simulated in %2; identical chips once</source>
        <translation>仿真 %1 个忙碌区间，用时 %2；相同的芯片只算一次</translation>
    </message>
    <message>
        <source>%1 million busy intervals simulated in %2; identical chips once</source>
        <translation>仿真 %1 百万个忙碌区间，用时 %2；相同的芯片只算一次</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Progress of the run</source>
        <translation>运行进度</translation>
    </message>
    <message>
        <source>Stop the run (Esc)</source>
        <translation>停止运行 (Esc)</translation>
    </message>
    <message>
        <source>records %1</source>
        <translation>记录 %1</translation>
    </message>
    <message>
        <source>Cancelled</source>
        <translation>已取消</translation>
    </message>
    <message>
        <source>The run failed</source>
        <translation>运行失败</translation>
    </message>
    <message>
        <source>%1; the result before has %2</source>
        <translation>%1；之前的结果占用 %2</translation>
    </message>
    <message>
        <source>looks for what bounds the run</source>
        <translation>正在查找运行的瓶颈</translation>
    </message>
</context>
<context>
    <name>meshslice::ui::RunsPane</name>
    <message>
        <source>W and S, Ctrl+wheel</source>
        <translation>W 和 S，Ctrl+滚轮</translation>
    </message>
    <message>
        <source>Zoom into the time and out</source>
        <translation>放大和缩小时间</translation>
    </message>
    <message>
        <source>A and D, left and right, drag</source>
        <translation>A 和 D，左右键，拖动</translation>
    </message>
    <message>
        <source>Move in time</source>
        <translation>在时间上移动</translation>
    </message>
    <message>
        <source>Up and down</source>
        <translation>上下键</translation>
    </message>
    <message>
        <source>Select a row</source>
        <translation>选择一行</translation>
    </message>
    <message>
        <source>Enter or double click</source>
        <translation>回车或双击</translation>
    </message>
    <message>
        <source>Go into a bar that has something inside</source>
        <translation>进入有内部细节的条</translation>
    </message>
    <message>
        <source>Backspace</source>
        <translation>退格键</translation>
    </message>
    <message>
        <source>Go back out</source>
        <translation>返回上一层</translation>
    </message>
    <message>
        <source>Home, or double click elsewhere</source>
        <translation>Home，或在别处双击</translation>
    </message>
    <message>
        <source>Show the whole time</source>
        <translation>显示全部时间</translation>
    </message>
</context>
<context>
    <name>meshslice::ui::ScalingPane</name>
    <message>
        <source>Time against number of chips</source>
        <translation>时间与芯片数的关系</translation>
    </message>
</context>
<context>
    <name>meshslice::ui::ScenarioGroup</name>
    <message>
        <source>Sweep this field</source>
        <translation>扫描此字段</translation>
    </message>
    <message>
        <source>Sweep this field (there is nothing to sweep here)</source>
        <translation>扫描此字段（这里没有可扫描的值）</translation>
    </message>
    <message>
        <source>What the manual says</source>
        <translation>手册中的说明</translation>
    </message>
    <message>
        <source>The %1</source>
        <translation>%1</translation>
    </message>
    <message>
        <source>The arrows double and halve.</source>
        <translation>箭头按钮加倍或减半。</translation>
    </message>
    <message>
        <source>Also takes 8k (8000), 8Ki (8192), 2*64, or x2 for twice what it is now.</source>
        <translation>也可输入 8k（8000）、8Ki（8192）、2*64，或 x2（现值的两倍）。</translation>
    </message>
    <message>
        <source>Also takes 1/2.</source>
        <translation>也可输入 1/2。</translation>
    </message>
    <message>
        <source>Also takes another unit, such as %1, or 2*64.</source>
        <translation>也可用其他单位，如 %1，或输入 2*64。</translation>
    </message>
    <message>
        <source>No effect: %1</source>
        <translation>不起作用：%1</translation>
    </message>
    <message>
        <source>Fewer fields</source>
        <translation>更少字段</translation>
    </message>
    <message>
        <source>More fields</source>
        <translation>更多字段</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>What most users leave as it is</source>
        <translation>大多数用户不改动的字段</translation>
    </message>
    <message>
        <source>Clear</source>
        <translation>清除</translation>
    </message>
</context>
<context>
    <name>meshslice::ui::ScenarioPanel</name>
    <message>
        <source>Scenario</source>
        <translation>场景</translation>
    </message>
</context>
<context>
    <name>meshslice::ui::SearchBar</name>
    <message>
        <source>Only these rows</source>
        <translation>只看这些行</translation>
    </message>
    <message>
        <source>Show only rows that have what is searched for</source>
        <translation>只显示含有搜索内容的行</translation>
    </message>
    <message>
        <source>Previous</source>
        <translation>上一个</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>下一个</translation>
    </message>
    <message>
        <source>Close the search</source>
        <translation>关闭搜索</translation>
    </message>
</context>
<context>
    <name>meshslice::ui::ServeView</name>
    <message>
        <source>%1 tokens/s for each user</source>
        <translation>每个用户 %1 token/s</translation>
    </message>
    <message>
        <source>%1 to the first token</source>
        <translation>首个 token 需 %1</translation>
    </message>
    <message>
        <source>%1 tokens/s from each chip</source>
        <translation>每个芯片 %1 token/s</translation>
    </message>
    <message>
        <source>Prefill is bound by %1, decode by %2.</source>
        <translation>预填充受%1限制，解码受%2限制。</translation>
    </message>
    <message>
        <source>Serving</source>
        <translation>推理服务</translation>
    </message>
    <message>
        <source>Chart of serving</source>
        <translation>推理服务图表</translation>
    </message>
    <message>
        <source>The answer</source>
        <translation>答案</translation>
    </message>
    <message>
        <source>What to know about the answer</source>
        <translation>关于答案的说明</translation>
    </message>
    <message>
        <source>Computing…</source>
        <translation>正在计算…</translation>
    </message>
    <message>
        <source> · </source>
        <translation> · </translation>
    </message>
    <message>
        <source>Requests over time</source>
        <translation>随时间到来的请求</translation>
    </message>
    <message>
        <source>Goal and price</source>
        <translation>目标与价格</translation>
    </message>
    <message>
        <source>Parallelism</source>
        <translation>并行方式</translation>
    </message>
    <message>
        <source>Prefixes and drafts</source>
        <translation>前缀与草稿</translation>
    </message>
    <message>
        <source>Failures and autoscaling</source>
        <translation>故障与自动扩缩</translation>
    </message>
    <message>
        <source>Types and engine</source>
        <translation>类型与引擎</translation>
    </message>
    <message>
        <source>prefill</source>
        <translation>预填充</translation>
    </message>
    <message>
        <source>decode</source>
        <translation>解码</translation>
    </message>
    <message>
        <source>preempted</source>
        <translation>被抢占</translation>
    </message>
    <message>
        <source>transfer of the cache</source>
        <translation>缓存传输</translation>
    </message>
    <message>
        <source>waits</source>
        <translation>等待</translation>
    </message>
    <message>
        <source>Timeline of serving</source>
        <translation>推理服务时间线</translation>
    </message>
    <message>
        <source>%1 (edited)</source>
        <translation>%1（已编辑）</translation>
    </message>
    <message>
        <source>This answer has no such picture.</source>
        <translation>这个答案没有这样的图。</translation>
    </message>
    <message>
        <source>servers</source>
        <translation>服务器</translation>
    </message>
    <message>
        <source>one step</source>
        <translation>一步</translation>
    </message>
    <message>
        <source>B, %1</source>
        <translation>B，%1</translation>
    </message>
    <message>
        <source>A, %1</source>
        <translation>A，%1</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>A and B do not differ.</source>
        <translation>A 与 B 没有差别。</translation>
    </message>
    <message>
        <source>B differs from A by: %1.</source>
        <translation>B 与 A 的差别：%1。</translation>
    </message>
    <message>
        <source>A has no answer: %1</source>
        <translation>A 没有答案：%1</translation>
    </message>
    <message>
        <source>one batch</source>
        <translation>一个批次</translation>
    </message>
    <message>
        <source>prefill; products and attention</source>
        <translation>预填充；矩阵乘与注意力</translation>
    </message>
    <message>
        <source>vectors</source>
        <translation>向量运算</translation>
    </message>
    <message>
        <source>launches</source>
        <translation>启动</translation>
    </message>
    <message>
        <source>exchange</source>
        <translation>通信</translation>
    </message>
</context>
<context>
    <name>meshslice::ui::Session</name>
    <message>
        <source>The run was cancelled. F5 starts it again, Ctrl+Z undoes the last change.</source>
        <translation>运行已取消。按 F5 重新开始，按 Ctrl+Z 撤销上次修改。</translation>
    </message>
    <message>
        <source>The run failed.</source>
        <translation>运行失败。</translation>
    </message>
    <message>
        <source>Computing…</source>
        <translation>正在计算…</translation>
    </message>
    <message>
        <source>Nothing to show yet. Choose a model and a mesh on the left, or open an example.</source>
        <translation>还没有内容。请在左侧选择模型和网格，或打开一个示例。</translation>
    </message>
</context>
<context>
    <name>meshslice::ui::Stepper</name>
    <message>
        <source>chip %1</source>
        <translation>芯片 %1</translation>
    </message>
    <message>
        <source>Every chip runs</source>
        <translation>每个芯片执行</translation>
    </message>
    <message>
        <source>C, put together from the chips</source>
        <translation>C，由各芯片的块拼成</translation>
    </message>
    <message>
        <source>A B, as one chip has it</source>
        <translation>A B，单芯片的结果</translation>
    </message>
    <message>
        <source>its ring</source>
        <translation>所在的环</translation>
    </message>
    <message>
        <source>its column of chips</source>
        <translation>所在的一列芯片</translation>
    </message>
    <message>
        <source>its row of chips</source>
        <translation>所在的一行芯片</translation>
    </message>
    <message>
        <source>the chips above and below it</source>
        <translation>其上下各层的芯片</translation>
    </message>
    <message>
        <source>Slice %1 of %2 is every chip&apos;s own rows of %3 that are marked; no link is used.</source>
        <translation>切片 %1（共 %2 个）是每个芯片自己的 %3 中标出的行；不使用链路。</translation>
    </message>
    <message>
        <source>Slice %1 of %2 is every chip&apos;s own columns of %3 that are marked; no link is used.</source>
        <translation>切片 %1（共 %2 个）是每个芯片自己的 %3 中标出的列；不使用链路。</translation>
    </message>
    <message>
        <source>Every chip adds its %1 to its %2.</source>
        <translation>每个芯片把自己的 %1 加到 %2 上。</translation>
    </message>
    <message>
        <source>Every chip keeps its own part of %1.</source>
        <translation>每个芯片只保留 %1 中自己的部分。</translation>
    </message>
    <message>
        <source>Every chip collects the %1 of %2, chunk by chunk.</source>
        <translation>每个芯片逐块收集%2的 %1。</translation>
    </message>
    <message>
        <source>The sums of %1 over %2 grow as they go round; every chip ends with its own part.</source>
        <translation>%1 在%2上边传边累加；最后每个芯片得到自己的部分。</translation>
    </message>
    <message>
        <source>Every chip sends a different part of %1 to each chip of %2.</source>
        <translation>每个芯片把 %1 的不同部分分别发给%2中的每个芯片。</translation>
    </message>
    <message>
        <source>One chip sends its panel of %1 to all of %2, packet by packet.</source>
        <translation>一个芯片把自己的 %1 面板逐包发给%2的所有芯片。</translation>
    </message>
    <message>
        <source>The partial sums %1 of %2 are added up on their way to one chip.</source>
        <translation>%2的部分和 %1 在传向一个芯片的途中逐步相加。</translation>
    </message>
    <message>
        <source>Every chip&apos;s %1 moves along %2, in each row or column by another distance, until matching blocks meet.</source>
        <translation>每个芯片的 %1 沿%2移动，每行或每列移动的距离不同，直到匹配的块相遇。</translation>
    </message>
    <message>
        <source>Every chip&apos;s %1 moves along %2.</source>
        <translation>每个芯片的 %1 沿%2移动。</translation>
    </message>
    <message>
        <source>Every chip passes the chunk of %1 that it has at hand to its neighbours along %2.</source>
        <translation>每个芯片把手头的 %1 数据块沿%2传给相邻芯片。</translation>
    </message>
    <message>
        <source>Every chip adds its %1 to the sum at hand and passes it along %2.</source>
        <translation>每个芯片把自己的 %1 加到手头的和上，再沿%2传下去。</translation>
    </message>
    <message>
        <source>Every chip takes the chunks of %1 that belong to those at hand.</source>
        <translation>每个芯片取出 %1 中与手头数据块对应的块。</translation>
    </message>
    <message>
        <source>Every chip puts its %1 where it belongs in %2.</source>
        <translation>每个芯片把 %1 放到 %2 中对应的位置。</translation>
    </message>
    <message>
        <source>Every chip multiplies what it holds and adds the partial GEMM to its %1.</source>
        <translation>每个芯片把手头的矩阵相乘，并把部分 GEMM 加到 %1 上。</translation>
    </message>
    <message>
        <source>Every chip multiplies what it holds; the result is its %1.</source>
        <translation>每个芯片把手头的矩阵相乘，结果为 %1。</translation>
    </message>
    <message>
        <source>At the beginning every chip holds its own A.</source>
        <translation>开始时每个芯片持有自己的 A。</translation>
    </message>
    <message>
        <source>At the beginning every chip holds its own blocks of A and B, and C is zero.</source>
        <translation>开始时每个芯片持有 A 和 B 中自己的块，C 为零。</translation>
    </message>
    <message>
        <source>s = %1: %2</source>
        <translation>s = %1：%2</translation>
    </message>
    <message>
        <source>%1, hop %2 of %3</source>
        <translation>%1，第 %2/%3 跳</translation>
    </message>
    <message>
        <source>C is compared with A B when the last step is done.</source>
        <translation>最后一步完成后，C 会与 A B 比较。</translation>
    </message>
    <message>
        <source>C is right: every number is that of A B.</source>
        <translation>C 正确：每个数都与 A B 相同。</translation>
    </message>
    <message>
        <source>C is wrong: %1 of %2 numbers are not those of A B, because a slice of one matrix met a slice of the other with other indices.</source>
        <translation>C 错误：%2 个数中有 %1 个与 A B 不同，因为一个矩阵的切片遇到了另一个矩阵中下标不同的切片。</translation>
    </message>
    <message>
        <source>%1 on chip %2</source>
        <translation>芯片 %2 上的 %1</translation>
    </message>
    <message>
        <source>not made yet</source>
        <translation>尚未产生</translation>
    </message>
    <message>
        <source>link from chip %1 to chip %2</source>
        <translation>芯片 %1 到芯片 %2 的链路</translation>
    </message>
    <message>
        <source>in this step, to be added: %1</source>
        <translation>本步传输（将累加）：%1</translation>
    </message>
    <message>
        <source>in this step: %1</source>
        <translation>本步传输：%1</translation>
    </message>
    <message>
        <source>so far: %1 numbers, %2 bytes in bf16</source>
        <translation>累计：%1 个数，bf16 下 %2 字节</translation>
    </message>
    <message>
        <source>waiting</source>
        <translation>等待中</translation>
    </message>
    <message>
        <source>made</source>
        <translation>已生成</translation>
    </message>
    <message>
        <source>1 of 2</source>
        <translation>1/2</translation>
    </message>
    <message>
        <source>complete</source>
        <translation>已完成</translation>
    </message>
    <message>
        <source>sent</source>
        <translation>已发送</translation>
    </message>
    <message>
        <source>chunks, as it makes them</source>
        <translation>各块，按生成顺序</translation>
    </message>
    <message>
        <source>Tiles that feed the ring</source>
        <translation>供给环的分块</translation>
    </message>
    <message>
        <source>What was on its way is added in the next chip&apos;s memory, where the tracker counts 1 of 2 updates.</source>
        <translation>在途的数据累加到下一芯片的内存中，其跟踪器计为 2 次更新中的第 1 次。</translation>
    </message>
    <message>
        <source>Every chip makes chunk %1 of %2</source>
        <translation>每个芯片生成第 %1 块（共 %2 块）</translation>
    </message>
    <message>
        <source>%1: its stores go straight to the next chip, and nothing is kept here.</source>
        <translation>%1：其存储直接写入下一芯片，本地不保留。</translation>
    </message>
    <message>
        <source>%1, its own: with both updates counted it is complete and stays.</source>
        <translation>%1，即自己的块：两次更新都已计入，它已完整并留在本地。</translation>
    </message>
    <message>
        <source>%1 and adds it to what has arrived: both updates are counted, and the tracker sends it on.</source>
        <translation>%1，并累加到已到达的数据上：两次更新都已计入，跟踪器将其继续发送。</translation>
    </message>
</context>
<context>
    <name>meshslice::ui::StepperCanvas</name>
    <message>
        <source>What every chip holds, step by step</source>
        <translation>每个芯片逐步持有的内容</translation>
    </message>
    <message>
        <source>Full stop and comma, right and left</source>
        <translation>句点和逗号，右和左键</translation>
    </message>
    <message>
        <source>Go on and back by a step</source>
        <translation>前进和后退一步</translation>
    </message>
    <message>
        <source>Page Down and Page Up</source>
        <translation>Page Down 和 Page Up</translation>
    </message>
    <message>
        <source>Go on and back by a line of the program</source>
        <translation>前进和后退一行程序</translation>
    </message>
    <message>
        <source>Home and End</source>
        <translation>Home 和 End</translation>
    </message>
    <message>
        <source>Go to the beginning and the end</source>
        <translation>到开头和结尾</translation>
    </message>
    <message>
        <source>Click a line of the program</source>
        <translation>点击一行程序</translation>
    </message>
    <message>
        <source>Go to the next step that runs it</source>
        <translation>转到执行该行的下一步</translation>
    </message>
    <message>
        <source>Click: go to the next step that runs it</source>
        <translation>点击：转到执行该行的下一步</translation>
    </message>
</context>
<context>
    <name>meshslice::ui::StepperPage</name>
    <message>
        <source>Timeline and torus at %1: %2</source>
        <translation>%1 时的时间线和环面：%2</translation>
    </message>
    <message>
        <source>Numbers</source>
        <translation>数字</translation>
    </message>
    <message>
        <source>What every chip holds after each step, number by number</source>
        <translation>每一步之后每个芯片持有的内容，逐个数字显示</translation>
    </message>
    <message>
        <source>Timeline</source>
        <translation>时间线</translation>
    </message>
    <message>
        <source>When each core multiplies and each link moves, of larger matrices. A click goes to the step that began last</source>
        <translation>较大矩阵下每个核心何时相乘、每条链路何时传输。单击可跳到最近开始的那一步</translation>
    </message>
    <message>
        <source>Torus</source>
        <translation>环面</translation>
    </message>
    <message>
        <source>What every core and link does at the same moment</source>
        <translation>同一时刻每个核心和每条链路在做什么</translation>
    </message>
    <message>
        <source>Numbers, timeline and torus of what is stepped through</source>
        <translation>单步演示的数字、时间线和环面</translation>
    </message>
    <message>
        <source>%1 chips</source>
        <translation>%1 个芯片</translation>
    </message>
    <message>
        <source>AllGather</source>
        <translation>AllGather</translation>
    </message>
    <message>
        <source>ReduceScatter</source>
        <translation>ReduceScatter</translation>
    </message>
    <message>
        <source>AllReduce</source>
        <translation>AllReduce</translation>
    </message>
    <message>
        <source>AllToAll</source>
        <translation>AllToAll</translation>
    </message>
    <message>
        <source>Broadcast</source>
        <translation>Broadcast</translation>
    </message>
    <message>
        <source>Reduce</source>
        <translation>Reduce</translation>
    </message>
    <message>
        <source>SendRecv</source>
        <translation>SendRecv</translation>
    </message>
    <message>
        <source>Stepper</source>
        <translation>单步演示</translation>
    </message>
    <message>
        <source>Algorithm or collective</source>
        <translation>算法或集合通信</translation>
    </message>
    <message>
        <source>The GEMM algorithm, or the collective by itself, that is executed on small matrices</source>
        <translation>在小矩阵上执行的 GEMM 算法，或单独的集合通信</translation>
    </message>
    <message>
        <source>Mesh of the stepper</source>
        <translation>单步演示的网格</translation>
    </message>
    <message>
        <source>The chips: rows x columns, with a third axis if there is one</source>
        <translation>芯片：行 x 列，若有则加第三个轴</translation>
    </message>
    <message>
        <source>Dataflow of the stepper</source>
        <translation>单步演示的数据流</translation>
    </message>
    <message>
        <source>Which matrix stays where it is: C (OS), A (LS) or B (RS)</source>
        <translation>哪个矩阵留在原处：C（OS）、A（LS）或 B（RS）</translation>
    </message>
    <message>
        <source>Slice count of the stepper</source>
        <translation>单步演示的切片数</translation>
    </message>
    <message>
        <source>Into how many slices the shards are cut, or to how many iterations a loop is unrolled</source>
        <translation>分片被切成多少个切片，或循环展开成多少次迭代</translation>
    </message>
    <message>
        <source>Slicing</source>
        <translation>切片方式</translation>
    </message>
    <message>
        <source>Every S-th block, as in Algorithm 2 of the MeshSlice paper, or contiguous panels of one matrix alone: see what becomes of C</source>
        <translation>按 MeshSlice 论文算法 2 每隔 S 块取一块，或只让一个矩阵取连续面板：看看 C 会怎样</translation>
    </message>
    <message>
        <source>Rings or lines</source>
        <translation>环或线</translation>
    </message>
    <message>
        <source>Whether the links of an axis close a ring, or end at the last chip</source>
        <translation>一个轴的链路闭合成环，还是止于最后一个芯片</translation>
    </message>
    <message>
        <source>Directions</source>
        <translation>方向</translation>
    </message>
    <message>
        <source>Whether half of every chunk goes each way round a ring, or all of it forward</source>
        <translation>每块数据沿环的两个方向各走一半，还是全部向前</translation>
    </message>
    <message>
        <source>Previous step</source>
        <translation>上一步</translation>
    </message>
    <message>
        <source>Takes the last step back (comma)</source>
        <translation>撤回上一步（逗号）</translation>
    </message>
    <message>
        <source>Next step</source>
        <translation>下一步</translation>
    </message>
    <message>
        <source>Does the next step (full stop)</source>
        <translation>执行下一步（句点）</translation>
    </message>
    <message>
        <source>Play</source>
        <translation>播放</translation>
    </message>
    <message>
        <source>Goes on by itself, step by step</source>
        <translation>自动逐步前进</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>Goes to any step</source>
        <translation>转到任意一步</translation>
    </message>
    <message>
        <source>every S-th block</source>
        <translation>每隔 S 块取一块</translation>
    </message>
    <message>
        <source>A contiguous</source>
        <translation>A 连续</translation>
    </message>
    <message>
        <source>B contiguous</source>
        <translation>B 连续</translation>
    </message>
    <message>
        <source>C contiguous</source>
        <translation>C 连续</translation>
    </message>
    <message>
        <source>all contiguous</source>
        <translation>全部连续</translation>
    </message>
    <message>
        <source>closed rings</source>
        <translation>闭合环</translation>
    </message>
    <message>
        <source>open lines</source>
        <translation>开放线</translation>
    </message>
    <message>
        <source>both ways</source>
        <translation>双向</translation>
    </message>
    <message>
        <source>one way</source>
        <translation>单向</translation>
    </message>
    <message>
        <source>%1 on %2</source>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>%1, %2, S = %3 on %4: %5</source>
        <translation>%1，%2，S = %3，%4：%5</translation>
    </message>
    <message>
        <source>%1, %2 on %3: %4</source>
        <translation>%1，%2，%3：%4</translation>
    </message>
    <message>
        <source>step %1 of %2</source>
        <translation>第 %1/%2 步</translation>
    </message>
    <message>
        <source>The program is being executed.</source>
        <translation>正在执行程序。</translation>
    </message>
</context>
<context>
    <name>meshslice::ui::StudiesView</name>
    <message>
        <source>Studies</source>
        <translation>论文研究</translation>
    </message>
    <message>
        <source>Chart of the study</source>
        <translation>研究的图表</translation>
    </message>
    <message>
        <source>%1 (%2, %3)</source>
        <translation>%1（%2，%3）</translation>
    </message>
    <message>
        <source>Studies of the paper</source>
        <translation>论文中的研究</translation>
    </message>
    <message>
        <source>the scenario&apos;s model</source>
        <translation>场景的模型</translation>
    </message>
    <message>
        <source>up to %1 chips</source>
        <translation>最多 %1 个芯片</translation>
    </message>
    <message>
        <source>the scenario&apos;s hardware</source>
        <translation>场景的硬件</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Clusters</source>
        <translation>集群</translation>
    </message>
    <message>
        <source>Hardware</source>
        <translation>硬件</translation>
    </message>
    <message>
        <source>The paper&apos;s statements and our results</source>
        <translation>论文的结论与我们的结果</translation>
    </message>
    <message>
        <source>The paper and ours</source>
        <translation>论文与本程序</translation>
    </message>
    <message>
        <source>The study&apos;s numbers</source>
        <translation>研究的数据</translation>
    </message>
    <message>
        <source>Table</source>
        <translation>表格</translation>
    </message>
    <message>
        <source>Computing…</source>
        <translation>正在计算…</translation>
    </message>
    <message>
        <source>The study starts when this view is opened.</source>
        <translation>打开此视图后开始计算。</translation>
    </message>
    <message>
        <source>%1, after %2, %3</source>
        <translation>%1，据 %2（%3）</translation>
    </message>
    <message>
        <source>%1; %2</source>
        <translation>%1；%2</translation>
    </message>
    <message>
        <source>The models that are run</source>
        <translation>要运行的模型</translation>
    </message>
    <message>
        <source>How many chips they run on</source>
        <translation>在多少个芯片上运行</translation>
    </message>
    <message>
        <source>The chip; the paper&apos;s numbers are those of its own</source>
        <translation>芯片；论文的数字属于其自身的芯片</translation>
    </message>
    <message>
        <source>%1, as the paper</source>
        <translation>%1，与论文相同</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>No match</source>
        <translation>无匹配</translation>
    </message>
    <message>
        <source>Search, such as Figure 9</source>
        <translation>搜索，例如 Figure 9</translation>
    </message>
    <message>
        <source>Search the studies</source>
        <translation>搜索研究</translation>
    </message>
    <message>
        <source>Finds studies by their title, figure or table</source>
        <translation>按标题、图或表查找研究</translation>
    </message>
</context>
<context>
    <name>meshslice::ui::SummaryView</name>
    <message>
        <source>Summary</source>
        <translation>总览</translation>
    </message>
    <message>
        <source>Up, Down</source>
        <translation>上、下</translation>
    </message>
    <message>
        <source>Enter</source>
        <translation>Enter</translation>
    </message>
    <message>
        <source>Tab</source>
        <translation>Tab</translation>
    </message>
    <message>
        <source>Go to the buttons of the findings</source>
        <translation>到各项发现的按钮</translation>
    </message>
    <message>
        <source>There is nothing to sum up.</source>
        <translation>没有可总结的内容。</translation>
    </message>
    <message>
        <source>Trying other plans, batches and chips …</source>
        <translation>正在尝试其他方案、批量与芯片数…</translation>
    </message>
    <message>
        <source>Trying other meshes, algorithms and batches …</source>
        <translation>正在尝试其他网格、算法与批量…</translation>
    </message>
    <message>
        <source>By estimate.</source>
        <translation>按估算。</translation>
    </message>
    <message>
        <source>One number at a time, filled: × 2, outlined: × 0.5. A click makes it variant B. %1</source>
        <translation>每次一个数值，实心：× 2，空心：× 0.5。点击即成为变体 B。%1</translation>
    </message>
    <message>
        <source>Doubling and halving one number after the other …</source>
        <translation>正在逐个加倍与减半各数值…</translation>
    </message>
    <message>
        <source>Make it B</source>
        <translation>设为 B</translation>
    </message>
    <message>
        <source>Make it B: %1</source>
        <translation>设为 B：%1</translation>
    </message>
    <message>
        <source>A copy of the scenario with this change, shown next to the scenario as it is.</source>
        <translation>带此更改的场景副本，与原场景并列显示。</translation>
    </message>
    <message>
        <source>%1: %2; %3. %4.</source>
        <translation>%1：%2；%3。%4。</translation>
    </message>
    <message>
        <source>new variant</source>
        <translation>新建方案</translation>
    </message>
    <message>
        <source>Go from number to number of the machine, and on to the measured runs</source>
        <translation>在机器的各个数字之间移动，再到实测运行</translation>
    </message>
    <message>
        <source>Make the marked number variant B, or load the marked run</source>
        <translation>使标出的数字成为变体 B，或载入标出的运行</translation>
    </message>
    <message>
        <source>The plan stays as it is; expected times.</source>
        <translation>方案保持不变；按预期时间。</translation>
    </message>
    <message>
        <source>The plan stays as it is; ideal times.</source>
        <translation>方案保持不变；按理想时间。</translation>
    </message>
    <message>
        <source>%1 %2; %3</source>
        <translation>%1，%2；%3</translation>
    </message>
</context>
<context>
    <name>meshslice::ui::SweepsView</name>
    <message>
        <source>Sweep</source>
        <translation>扫描</translation>
    </message>
    <message>
        <source>Chart of the sweep</source>
        <translation>扫描的图表</translation>
    </message>
    <message>
        <source>Heat map of the sweep</source>
        <translation>扫描的热力图</translation>
    </message>
    <message>
        <source>Field</source>
        <translation>字段</translation>
    </message>
    <message>
        <source>Second field</source>
        <translation>第二个字段</translation>
    </message>
    <message>
        <source>Values of %1</source>
        <translation>%1 的取值</translation>
    </message>
    <message>
        <source>&lt;p&gt;A list, such as 8, 16, 32 or x 0.5, x 1, x 2, or a range: 8:512:x2, 8:64:+8. A factor of the hardware&apos;s numbers is of the preset, and numbers without a unit are factors there.&lt;/p&gt;</source>
        <translation>&lt;p&gt;列表，如 8, 16, 32 或 x 0.5, x 1, x 2；或范围：8:512:x2、8:64:+8。硬件参数的倍数相对于预设，不带单位的数字即为倍数。&lt;/p&gt;</translation>
    </message>
    <message>
        <source>by estimate</source>
        <translation>估算</translation>
    </message>
    <message>
        <source>simulated</source>
        <translation>仿真</translation>
    </message>
    <message>
        <source>best plans</source>
        <translation>最佳方案</translation>
    </message>
    <message>
        <source>Estimated, simulated or planned</source>
        <translation>估算、仿真或规划</translation>
    </message>
    <message>
        <source>Lines</source>
        <translation>折线</translation>
    </message>
    <message>
        <source>A line for each value of the field that has fewer</source>
        <translation>取值较少的字段，每个值一条线</translation>
    </message>
    <message>
        <source>Heat map</source>
        <translation>热力图</translation>
    </message>
    <message>
        <source>A cell for each pair of values</source>
        <translation>每一对取值一个单元格</translation>
    </message>
    <message>
        <source>Why this is refused</source>
        <translation>为什么不接受</translation>
    </message>
    <message>
        <source>The sweep&apos;s points</source>
        <translation>扫描的各个点</translation>
    </message>
    <message>
        <source>Keep the point as a variant</source>
        <translation>把该点存为方案</translation>
    </message>
    <message>
        <source>%1 The picture is still the last sweep.</source>
        <translation>%1 图中仍是上一次扫描。</translation>
    </message>
    <message>
        <source>Enter or click</source>
        <translation>Enter 或单击</translation>
    </message>
    <message>
        <source>Take the point&apos;s values into the scenario</source>
        <translation>把该点的取值载入场景</translation>
    </message>
    <message>
        <source>Ctrl+click</source>
        <translation>Ctrl + 单击</translation>
    </message>
    <message>
        <source>Keep the point as a variant, next to the scenario</source>
        <translation>把该点存为方案，与场景并列</translation>
    </message>
    <message>
        <source>Stop (%1%)</source>
        <translation>停止 (%1%)</translation>
    </message>
    <message>
        <source>Go on</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Computing…</source>
        <translation>正在计算…</translation>
    </message>
    <message>
        <source>The sweep starts when this view is opened.</source>
        <translation>打开此视图后开始扫描。</translation>
    </message>
    <message>
        <source>The field of the scenario that takes one value after another</source>
        <translation>依次取各个值的场景字段</translation>
    </message>
    <message>
        <source>Another field, for every pair of values</source>
        <translation>另一个字段，取每一对值</translation>
    </message>
    <message>
        <source>By the closed form at once, by simulating every point, which takes longer, or the best plan of the whole training run at every point</source>
        <translation>用闭式公式立即得出；或仿真每个点，耗时更长；或在每个点取整个训练运行的最佳方案</translation>
    </message>
    <message>
        <source>Stops after the points that are done, or goes on with the others</source>
        <translation>在已完成的点之后停止，或继续其余的点</translation>
    </message>
    <message>
        <source>of B</source>
        <translation>B 的</translation>
    </message>
    <message>
        <source>of A</source>
        <translation>A 的</translation>
    </message>
    <message>
        <source>B against A</source>
        <translation>B 对比 A</translation>
    </message>
    <message>
        <source>Whose points</source>
        <translation>谁的点</translation>
    </message>
    <message>
        <source>The points of one variant, or the time of B against A</source>
        <translation>一个变体的点，或 B 相对 A 的时间</translation>
    </message>
    <message>
        <source>second field: none</source>
        <translation>第二个字段：无</translation>
    </message>
</context>
<context>
    <name>meshslice::ui::TablePicture</name>
    <message>
        <source>the first %L1 of %L2 lines; the table (CSV) has all</source>
        <translation>%L2 行中的前 %L1 行；表格（CSV）中有全部</translation>
    </message>
</context>
<context>
    <name>meshslice::ui::TaskBar</name>
    <message>
        <source>Task</source>
        <translation>任务</translation>
    </message>
</context>
<context>
    <name>meshslice::ui::TimelineView</name>
    <message>
        <source>Click: fold or unfold it</source>
        <translation>单击：折叠或展开</translation>
    </message>
    <message>
        <source>Click: fold or unfold the chip&apos;s links</source>
        <translation>单击：折叠或展开该芯片的链路</translation>
    </message>
    <message>
        <source>Click: fold or unfold its group</source>
        <translation>单击：折叠或展开该组</translation>
    </message>
    <message>
        <source>The whole run: how many cores multiply, and below how many links are busy</source>
        <translation>整个运行：多少核心在计算，下方是多少链路忙碌</translation>
    </message>
    <message>
        <source>Drag the frame to move in time</source>
        <translation>拖动方框可沿时间移动</translation>
    </message>
    <message>
        <source>Show the whole run	Home</source>
        <translation>显示整个运行	Home</translation>
    </message>
    <message>
        <source>Fit the selection	F</source>
        <translation>适合所选内容	F</translation>
    </message>
    <message>
        <source>Mark the critical path	C</source>
        <translation>标出关键路径	C</translation>
    </message>
    <message>
        <source>Scroll to the critical path</source>
        <translation>滚动到关键路径</translation>
    </message>
    <message>
        <source>Compact rows</source>
        <translation>紧凑行高</translation>
    </message>
    <message>
        <source>Normal rows</source>
        <translation>正常行高</translation>
    </message>
    <message>
        <source>Comfortable rows</source>
        <translation>宽松行高</translation>
    </message>
    <message>
        <source>Remove the mark here	M</source>
        <translation>删除此处的标记	M</translation>
    </message>
    <message>
        <source>Mark this moment	M</source>
        <translation>标记此刻	M</translation>
    </message>
    <message>
        <source>Go to a mark</source>
        <translation>转到标记</translation>
    </message>
    <message>
        <source>Rename a mark</source>
        <translation>标记改名</translation>
    </message>
    <message>
        <source>%1	%2</source>
        <translation>%1	%2</translation>
    </message>
    <message>
        <source>Name of the mark:</source>
        <translation>标记名称：</translation>
    </message>
    <message>
        <source>nothing in this GEMM waited for it</source>
        <translation>这个 GEMM 中没有操作在等它</translation>
    </message>
    <message>
        <source>only cores and links show what waits for what</source>
        <translation>只有核心和链路显示谁等待谁</translation>
    </message>
    <message>
        <source>it waited for nothing in this GEMM</source>
        <translation>它没有等待这个 GEMM 中的任何操作</translation>
    </message>
    <message>
        <source>nothing found</source>
        <translation>没有找到</translation>
    </message>
    <message>
        <source>%L1 of %L2</source>
        <translation>%L1/%L2</translation>
    </message>
    <message>
        <source>%L1 found</source>
        <translation>找到 %L1 个</translation>
    </message>
    <message>
        <source>Unpin this row</source>
        <translation>取消置顶该行</translation>
    </message>
    <message>
        <source>Pin this row to the top</source>
        <translation>该行置顶</translation>
    </message>
    <message>
        <source>Unpin all rows</source>
        <translation>取消所有置顶</translation>
    </message>
    <message>
        <source>Group rows</source>
        <translation>行的分组</translation>
    </message>
    <message>
        <source>by chip</source>
        <translation>按芯片</translation>
    </message>
    <message>
        <source>by row of the mesh</source>
        <translation>按网格的行</translation>
    </message>
    <message>
        <source>by column of the mesh</source>
        <translation>按网格的列</translation>
    </message>
    <message>
        <source>by core and link</source>
        <translation>按核心和链路</translation>
    </message>
    <message>
        <source>by alike chips</source>
        <translation>按相同的芯片</translation>
    </message>
    <message>
        <source>Fold all</source>
        <translation>全部折叠</translation>
    </message>
    <message>
        <source>Unfold all</source>
        <translation>全部展开</translation>
    </message>
    <message>
        <source>Search	/</source>
        <translation>搜索	/</translation>
    </message>
    <message>
        <source>drag: measure   W S: zoom   A D: pan   /: search   F: fit   Home: whole run</source>
        <translation>拖动：测量   W S：缩放   A D：平移   /：搜索   F：适合所选   Home：整个运行</translation>
    </message>
    <message>
        <source>%1, rows: %2</source>
        <translation>%1，行数：%2</translation>
    </message>
    <message>
        <source>bars: %1</source>
        <translation>条块数：%1</translation>
    </message>
    <message>
        <source>busy for %1 of what is seen</source>
        <translation>在可见时间内 %1 忙碌</translation>
    </message>
    <message>
        <source>Search the timeline</source>
        <translation>搜索时间线</translation>
    </message>
    <message>
        <source>chip 3,5 east; sync; FF1 backward</source>
        <translation>芯片 3,5 东；同步；FF1 反向</translation>
    </message>
    <message>
        <source>Words of a row, a GEMM or an activity: bars that all of them describe are found. Enter: the next, Shift+Enter: the previous, Escape: close</source>
        <translation>输入行、GEMM 或操作的词：同时符合所有词的条块会被找到。Enter：下一个，Shift+Enter：上一个，Escape：关闭</translation>
    </message>
    <message>
        <source>Timeline</source>
        <translation>时间线</translation>
    </message>
    <message>
        <source>When each core multiplies and each link moves. Step through the bars of a row with the full stop and comma keys.</source>
        <translation>每个核心何时计算、每条链路何时传输。用句号键和逗号键在一行的条块间移动。</translation>
    </message>
    <message>
        <source>Rows of the timeline</source>
        <translation>时间线的行</translation>
    </message>
    <message>
        <source>W, S</source>
        <translation>W、S</translation>
    </message>
    <message>
        <source>Zoom in and out at the cursor</source>
        <translation>以光标为中心放大、缩小</translation>
    </message>
    <message>
        <source>A, D or Left, Right</source>
        <translation>A、D 或左、右</translation>
    </message>
    <message>
        <source>Move left and right in time</source>
        <translation>沿时间左右移动</translation>
    </message>
    <message>
        <source>Up, Down, Page Up, Page Down</source>
        <translation>上、下、Page Up、Page Down</translation>
    </message>
    <message>
        <source>Scroll the rows</source>
        <translation>滚动各行</translation>
    </message>
    <message>
        <source>F</source>
        <translation>F</translation>
    </message>
    <message>
        <source>Fit the selection; again: the whole run</source>
        <translation>适合所选内容；再按一次：整个运行</translation>
    </message>
    <message>
        <source>Home</source>
        <translation>Home</translation>
    </message>
    <message>
        <source>The whole run</source>
        <translation>整个运行</translation>
    </message>
    <message>
        <source>. and ,</source>
        <translation>. 和 ,</translation>
    </message>
    <message>
        <source>Next and previous bar of the row</source>
        <translation>该行的下一个、上一个条块</translation>
    </message>
    <message>
        <source>[ and ]</source>
        <translation>[ 和 ]</translation>
    </message>
    <message>
        <source>To the bar that the selected one waited for, and to one that waited for it</source>
        <translation>转到所选条块等待的条块，或等待它的条块</translation>
    </message>
    <message>
        <source>M</source>
        <translation>M</translation>
    </message>
    <message>
        <source>Mark the moment at the cursor, or remove the mark that is there</source>
        <translation>在光标处加标记，或删除那里的标记</translation>
    </message>
    <message>
        <source>1 to 9</source>
        <translation>1 到 9</translation>
    </message>
    <message>
        <source>C</source>
        <translation>C</translation>
    </message>
    <message>
        <source>Show or hide the critical path</source>
        <translation>显示或隐藏关键路径</translation>
    </message>
    <message>
        <source>/</source>
        <translation>/</translation>
    </message>
    <message>
        <source>Search bars by words of their row, GEMM or activity; Enter, Shift+Enter: next, previous</source>
        <translation>按行、GEMM 或操作的词搜索条块；Enter、Shift+Enter：下一个、上一个</translation>
    </message>
    <message>
        <source>Click on the name of a chip or group</source>
        <translation>单击芯片名或组名</translation>
    </message>
    <message>
        <source>Fold it, or unfold it</source>
        <translation>折叠或展开</translation>
    </message>
    <message>
        <source>Drag</source>
        <translation>拖动</translation>
    </message>
    <message>
        <source>Mark a stretch of time; the details add up what happens in it</source>
        <translation>选定一段时间；详情会汇总其中发生的事</translation>
    </message>
    <message>
        <source>Enter</source>
        <translation>Enter</translation>
    </message>
    <message>
        <source>Zoom to the marked stretch</source>
        <translation>放大到选定的时间段</translation>
    </message>
    <message>
        <source>Escape</source>
        <translation>Escape</translation>
    </message>
    <message>
        <source>Clear mark and selection</source>
        <translation>清除选定的时间段和选择</translation>
    </message>
    <message>
        <source>Drag in the strip of the whole run</source>
        <translation>在“整个运行”条上拖动</translation>
    </message>
    <message>
        <source>Move what is seen; while all is, zoom in</source>
        <translation>移动可见范围；显示全部时则放大</translation>
    </message>
    <message>
        <source>Wheel, Ctrl+wheel, Shift+wheel</source>
        <translation>滚轮、Ctrl + 滚轮、Shift + 滚轮</translation>
    </message>
    <message>
        <source>Scroll the rows, zoom, move in time</source>
        <translation>滚动各行、缩放、沿时间移动</translation>
    </message>
    <message>
        <source>Shift+drag or middle button</source>
        <translation>Shift + 拖动或中键</translation>
    </message>
    <message>
        <source>Move in time</source>
        <translation>沿时间移动</translation>
    </message>
    <message>
        <source>Double click</source>
        <translation>双击</translation>
    </message>
    <message>
        <source>Zoom to a bar</source>
        <translation>放大到条块</translation>
    </message>
    <message>
        <source>When does each core multiply, and when does each link move?</source>
        <translation>每个核心何时计算，每条链路何时传输？</translation>
    </message>
    <message>
        <source>Rows %L2 to %L3 of %L4. %1</source>
        <translation>第 %L2 到 %L3 行，共 %L4 行。%1</translation>
    </message>
    <message>
        <source>%L2 of %L3 rows. %1</source>
        <translation>%L3 行中的 %L2 行。%1</translation>
    </message>
    <message>
        <source>The table has the first %L1 of %L2 bars; show a shorter stretch of time to get all of it, or write the whole run with meshslice simulate --intervals.</source>
        <translation>表中是 %L2 个条块中的前 %L1 个；缩短显示的时间段可得到全部，或用 meshslice simulate --intervals 写出整个运行。</translation>
    </message>
    <message>
        <source>%1 to %2: %3</source>
        <translation>%1 到 %2：%3</translation>
    </message>
    <message>
        <source>; %1 busy %2</source>
        <translation>；%1忙碌 %2</translation>
    </message>
    <message>
        <source>Nothing is selected. Step through the bars of a row with the full stop and comma keys.</source>
        <translation>没有选中任何内容。用句号键和逗号键在一行的条块间移动。</translation>
    </message>
    <message>
        <source>How many of its cores multiply, and below how many of its links are busy</source>
        <translation>其中多少核心在计算，下方是其中多少链路忙碌</translation>
    </message>
    <message>
        <source>How many of its memories write what a GEMM has made</source>
        <translation>其中多少内存在写入 GEMM 的结果</translation>
    </message>
    <message>
        <source>How many of its memories read or add pieces of a reduce-scatter</source>
        <translation>其中多少内存在读取或累加 reduce-scatter 的小块</translation>
    </message>
    <message>
        <source>How many of its memories serve collectives that no GEMM feeds</source>
        <translation>其中多少内存在服务没有 GEMM 送入的集合通信</translation>
    </message>
    <message>
        <source>Remove a mark</source>
        <translation>删除标记</translation>
    </message>
    <message>
        <source>%1 at %2</source>
        <translation>%1，位于 %2</translation>
    </message>
    <message>
        <source>All marks</source>
        <translation>全部标记</translation>
    </message>
    <message>
        <source>Go to a mark; they are counted from left to right</source>
        <translation>转到标记；从左到右编号</translation>
    </message>
    <message>
        <source>searching…</source>
        <translation>正在搜索…</translation>
    </message>
    <message>
        <source>When the chip&apos;s memory writes what the GEMM has made</source>
        <translation>芯片内存写入 GEMM 结果的时间</translation>
    </message>
    <message>
        <source>When the chip&apos;s memory reads pieces that are sent, and adds those that arrive</source>
        <translation>芯片内存读取待发送的片、累加到达的片的时间</translation>
    </message>
    <message>
        <source>When the chip&apos;s memory reads and writes for collectives that no GEMM feeds</source>
        <translation>芯片的内存何时为没有 GEMM 送入的集合通信读写</translation>
    </message>
    <message>
        <source>What a GEMM reads is not recorded</source>
        <translation>GEMM 的读取没有记录</translation>
    </message>
    <message>
        <source>Click its bar and press N to edit it; without words it goes away.</source>
        <translation>点击它的条并按 N 可编辑；清空文字即删除。</translation>
    </message>
    <message>
        <source>Let both runs begin at 0</source>
        <translation>让两次运行都从 0 开始</translation>
    </message>
    <message>
        <source>Align both runs at %1	G</source>
        <translation>两次运行在 %1 处对齐	G</translation>
    </message>
    <message>
        <source>Edit the note…	N</source>
        <translation>编辑注释…	N</translation>
    </message>
    <message>
        <source>Write a note at this moment…	N</source>
        <translation>在此时刻写注释…	N</translation>
    </message>
    <message>
        <source>Write a note on this bar…	N</source>
        <translation>在此条上写注释…	N</translation>
    </message>
    <message>
        <source>Note on the timeline</source>
        <translation>时间线上的注释</translation>
    </message>
    <message>
        <source>Note at %1:</source>
        <translation>%1 处的注释：</translation>
    </message>
    <message>
        <source>Note on %1 at %2:</source>
        <translation>%2 时 %1 上的注释：</translation>
    </message>
    <message>
        <source>N</source>
        <translation>N</translation>
    </message>
    <message>
        <source>Write a note on the selected bar, or at the moment at the cursor; edit the one there</source>
        <translation>在选中的条或光标处的时刻写注释；已有则编辑</translation>
    </message>
    <message>
        <source>G</source>
        <translation>G</translation>
    </message>
    <message>
        <source>Align both runs at the selected GEMM, or let both begin at 0 again</source>
        <translation>在选中的 GEMM 处对齐两次运行，或让两者都从 0 开始</translation>
    </message>
</context>
<context>
    <name>meshslice::ui::ToolDialog</name>
    <message>
        <source>Computing…</source>
        <translation>正在计算…</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Finding</source>
        <translation>结论</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>进度</translation>
    </message>
    <message>
        <source>Cancelled.</source>
        <translation>已取消。</translation>
    </message>
    <message>
        <source>How to read the table</source>
        <translation>如何阅读此表</translation>
    </message>
    <message>
        <source>Changes the scenario; undo takes it back.</source>
        <translation>会修改场景；可撤销。</translation>
    </message>
    <message>
        <source>Why nothing was changed</source>
        <translation>为何没有改变</translation>
    </message>
</context>
<context>
    <name>meshslice::ui::TorusView</name>
    <message>
        <source>Previous event</source>
        <translation>上一个事件</translation>
    </message>
    <message>
        <source>Next event</source>
        <translation>下一个事件</translation>
    </message>
    <message>
        <source>tiles that feed the ring</source>
        <translation>供给环的分块</translation>
    </message>
    <message>
        <source>Back to where a chunk had been made, completed or sent (,)</source>
        <translation>退回到某个块已生成、已完成或已发送的时刻（,）</translation>
    </message>
    <message>
        <source>Back to the event before (,)</source>
        <translation>退回到上一个事件（,）</translation>
    </message>
    <message>
        <source>On to where the next chunk has been made, completed or sent (.)</source>
        <translation>前进到下一个块已生成、已完成或已发送的时刻（.）</translation>
    </message>
    <message>
        <source>On to the next event (.)</source>
        <translation>前进到下一个事件（.）</translation>
    </message>
    <message>
        <source>Torus</source>
        <translation>环面</translation>
    </message>
    <message>
        <source>Play</source>
        <translation>播放</translation>
    </message>
    <message>
        <source>Lets the time run (Space)</source>
        <translation>让时间走动 (Space)</translation>
    </message>
    <message>
        <source>Moment</source>
        <translation>时刻</translation>
    </message>
    <message>
        <source>The moment that is shown; . and , go from event to event</source>
        <translation>当前显示的时刻；. 和 , 逐事件移动</translation>
    </message>
    <message>
        <source>Speed</source>
        <translation>速度</translation>
    </message>
    <message>
        <source>At × 1 the stretch of time that the timeline shows plays in 20 seconds (+ and −)</source>
        <translation>× 1 时，时间线上显示的时间段用 20 秒播完（+ 和 −）</translation>
    </message>
    <message>
        <source>what they do now</source>
        <translation>此刻的状态</translation>
    </message>
    <message>
        <source>how busy they are</source>
        <translation>忙碌程度</translation>
    </message>
    <message>
        <source>What the colours say</source>
        <translation>颜色表示什么</translation>
    </message>
    <message>
        <source>Which run</source>
        <translation>哪次运行</translation>
    </message>
    <message>
        <source>Space</source>
        <translation>Space</translation>
    </message>
    <message>
        <source>Play and stop</source>
        <translation>播放与停止</translation>
    </message>
    <message>
        <source>. and ,</source>
        <translation>. 和 ,</translation>
    </message>
    <message>
        <source>Next and previous event</source>
        <translation>下一个、上一个事件</translation>
    </message>
    <message>
        <source>+ and −</source>
        <translation>+ 和 −</translation>
    </message>
    <message>
        <source>Faster and slower</source>
        <translation>加快、减慢</translation>
    </message>
    <message>
        <source>Home, End</source>
        <translation>Home、End</translation>
    </message>
    <message>
        <source>The beginning and the end</source>
        <translation>开头和结尾</translation>
    </message>
    <message>
        <source>Click</source>
        <translation>单击</translation>
    </message>
    <message>
        <source>Select a core or link; again: what if it were slow or dead?</source>
        <translation>选择核心或链路；再次单击：如果变慢或断开？</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>bytes they carry</source>
        <translation>传输的字节</translation>
    </message>
    <message>
        <source>slack they have</source>
        <translation>余量</translation>
    </message>
    <message>
        <source>What cores and links do at the moment; or, over the stretch of time that the timeline shows, how busy they are, how many bytes they carry, or how much later they could have ended without delaying their GEMM; or, where a GEMM feeds its reduce-scatter, which of its tiles are made, counted, complete and sent</source>
        <translation>核心和链路此刻的状态；或者在时间线显示的时间段内有多忙、传输多少字节、在不拖延其 GEMM 的前提下最多可晚多久结束；或者，在 GEMM 供给其 reduce-scatter 时，各分块中哪些已生成、已计数、已完成、已发送</translation>
    </message>
    <message>
        <source>3D</source>
        <translation>3D</translation>
    </message>
    <message>
        <source>In space</source>
        <translation>立体显示</translation>
    </message>
    <message>
        <source>Shows the three axes in space: dragging or the arrows turn it, 0 turns it back</source>
        <translation>立体显示三个轴：拖动或方向键转动，0 恢复</translation>
    </message>
    <message>
        <source>both</source>
        <translation>两者</translation>
    </message>
    <message>
        <source>Arrows, or drag</source>
        <translation>方向键或拖动</translation>
    </message>
    <message>
        <source>Turn a torus of three axes that is shown in space; 0 turns it back</source>
        <translation>转动立体显示的三轴环面；0 恢复</translation>
    </message>
    <message>
        <source>Which of the two runs is shown, both next to each other, or, of what is measured, how much more B has than A</source>
        <translation>显示两次运行中的哪一次、两者并列，或所测量的值 B 比 A 多多少</translation>
    </message>
    <message>
        <source>difference</source>
        <translation>差异</translation>
    </message>
</context>
<context>
    <name>meshslice::ui::TraceDialog</name>
    <message>
        <source>Export for Perfetto</source>
        <translation>导出到 Perfetto</translation>
    </message>
    <message>
        <source>all</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>these:</source>
        <translation>这些：</translation>
    </message>
    <message>
        <source>Chips of the trace</source>
        <translation>跟踪文件的芯片</translation>
    </message>
    <message>
        <source>Chips by their coordinates: “0,0 0,1”; “0..3,0” is a stretch, “*,0” a whole axis</source>
        <translation>按坐标列出芯片：“0,0 0,1”；“0..3,0”是一段，“*,0”是整个轴</translation>
    </message>
    <message>
        <source>List of chips</source>
        <translation>芯片列表</translation>
    </message>
    <message>
        <source>Size of the trace</source>
        <translation>跟踪文件的大小</translation>
    </message>
    <message>
        <source>&amp;Chips</source>
        <translation>芯片(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Save as…</source>
        <translation>另存为(&amp;S)…</translation>
    </message>
    <message>
        <source>Writes a file that Perfetto (ui.perfetto.dev) and chrome://tracing open</source>
        <translation>写出 Perfetto（ui.perfetto.dev）和 chrome://tracing 能打开的文件</translation>
    </message>
    <message>
        <source>There is no timeline to export: %1</source>
        <translation>没有可导出的时间线：%1</translation>
    </message>
    <message>
        <source>1 chip</source>
        <translation>1 个芯片</translation>
    </message>
    <message>
        <source>%L1 chips</source>
        <translation>%L1 个芯片</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>%1; with waits, flows and counters about %2</source>
        <translation>%1；连同等待、流和计数器约 %2</translation>
    </message>
    <message>
        <source>%1. Arrows from chips that are not in it are left out: up to %L2.</source>
        <translation>%1。从不在其中的芯片来的箭头略去：最多 %L2 条。</translation>
    </message>
    <message>
        <source>one chip of each kind</source>
        <translation>每类芯片各一个</translation>
    </message>
    <message>
        <source>Whose cores and links the trace has; chips of one kind do the same at the same time</source>
        <translation>轨迹包含哪些芯片的核心和链路；同类芯片同时做同样的事</translation>
    </message>
</context>
<context>
    <name>meshslice::ui::TrustView</name>
    <message>
        <source>Measured training runs</source>
        <translation>实测训练运行</translation>
    </message>
    <message>
        <source>How far to trust this</source>
        <translation>此结果有多可信</translation>
    </message>
    <message>
        <source>Predicted against measured times of training runs</source>
        <translation>训练运行的预测时间与实测时间</translation>
    </message>
    <message>
        <source>all chips</source>
        <translation>所有芯片</translation>
    </message>
    <message>
        <source>Chips that were measured</source>
        <translation>实测所用的芯片</translation>
    </message>
    <message>
        <source>all models</source>
        <translation>所有模型</translation>
    </message>
    <message>
        <source>dense models</source>
        <translation>稠密模型</translation>
    </message>
    <message>
        <source>models with experts</source>
        <translation>含专家的模型</translation>
    </message>
    <message>
        <source>Kind of models</source>
        <translation>模型种类</translation>
    </message>
    <message>
        <source>What is expected of the plan</source>
        <translation>方案的预期</translation>
    </message>
    <message>
        <source>Up, Down in the table</source>
        <translation>在表中按上、下键</translation>
    </message>
    <message>
        <source>Select a run, here and in the chart</source>
        <translation>在表和图中选择一次运行</translation>
    </message>
    <message>
        <source>Computing…</source>
        <translation>正在计算…</translation>
    </message>
    <message>
        <source>%1: %2 runs</source>
        <translation>%1：%2 次运行</translation>
    </message>
    <message>
        <source>Published training runs: %1, %2; each by constants fitted without it</source>
        <translation>已发表的训练运行：%1，%2；每次所用常数在拟合时都不含它</translation>
    </message>
    <message>
        <source>Load this run</source>
        <translation>载入此运行</translation>
    </message>
    <message>
        <source>The selected run</source>
        <translation>所选的运行</translation>
    </message>
    <message>
        <source>Enter or double click in the table</source>
        <translation>在表格中回车或双击</translation>
    </message>
    <message>
        <source>Load the run into the scenario</source>
        <translation>将该运行载入方案</translation>
    </message>
    <message>
        <source>Model, machine, chips, split, batch and measured step of the selected run become the scenario&apos;s; can be undone</source>
        <translation>所选运行的模型、机器、芯片、划分、批与实测每步时间成为方案的内容；可以撤销</translation>
    </message>
    <message>
        <source>%1 on %2 %3. Source: %4.</source>
        <translation>%1，%2 个 %3。来源：%4。</translation>
    </message>
    <message>
        <source>%1 It cannot be loaded. %2</source>
        <translation>%1 无法载入。%2</translation>
    </message>
</context>
<context>
    <name>meshslice::ui::TunerView</name>
    <message>
        <source>Tuner</source>
        <translation>调优</translation>
    </message>
    <message>
        <source>How the cells are computed</source>
        <translation>单元格如何计算</translation>
    </message>
    <message>
        <source>By the closed form at once, or by simulating every cell, which takes a while</source>
        <translation>用闭式公式立即得到，或仿真每个单元格（需要一些时间）</translation>
    </message>
    <message>
        <source>by estimate</source>
        <translation>估算</translation>
    </message>
    <message>
        <source>simulated</source>
        <translation>仿真</translation>
    </message>
    <message>
        <source>Cancel (%1%)</source>
        <translation>取消 (%1%)</translation>
    </message>
    <message>
        <source>Trying every mesh and slice count…</source>
        <translation>正在尝试所有网格和切片数…</translation>
    </message>
    <message>
        <source>%1; %2</source>
        <translation>%1；%2</translation>
    </message>
    <message>
        <source>Arrows</source>
        <translation>方向键</translation>
    </message>
    <message>
        <source>Move between cells</source>
        <translation>在单元格之间移动</translation>
    </message>
    <message>
        <source>Enter or click</source>
        <translation>Enter 或单击</translation>
    </message>
    <message>
        <source>Load the cell&apos;s mesh and slice count into the scenario</source>
        <translation>把单元格的网格和切片数载入场景</translation>
    </message>
    <message>
        <source>Escape</source>
        <translation>Escape</translation>
    </message>
    <message>
        <source>Back to the scenario&apos;s own cell</source>
        <translation>回到场景自己的单元格</translation>
    </message>
    <message>
        <source>1 … 9, 0</source>
        <translation>1 … 9、0</translation>
    </message>
    <message>
        <source>Show one part of the bars alone, or all</source>
        <translation>只显示条形的一个部分，或全部显示</translation>
    </message>
    <message>
        <source>Whose map is shown</source>
        <translation>显示谁的图</translation>
    </message>
    <message>
        <source>The map of A, of B, or where B takes less or more time than A</source>
        <translation>A 的图、B 的图，或 B 比 A 用时更少或更多之处</translation>
    </message>
    <message>
        <source>difference</source>
        <translation>差异</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>A: %1. B: %2</source>
        <translation>A：%1。B：%2</translation>
    </message>
    <message>
        <source>Click or Enter loads it into B</source>
        <translation>单击或按 Enter 载入到 B</translation>
    </message>
</context>
<context>
    <name>meshslice::ui::VariantCard</name>
    <message>
        <source>Name of the variant</source>
        <translation>方案名称</translation>
    </message>
    <message>
        <source>Enter takes the name, Escape leaves it as it is.</source>
        <translation>Enter 确认名称，Escape 保持不变。</translation>
    </message>
    <message>
        <source>A name has at most %1 characters.</source>
        <translation>名称最多 %1 个字符。</translation>
    </message>
</context>
<context>
    <name>meshslice::ui::VariantStrip</name>
    <message>
        <source>Variants</source>
        <translation>方案</translation>
    </message>
    <message>
        <source>&amp;New variant: a copy of this one</source>
        <translation>新建方案：复制当前方案(&amp;N)</translation>
    </message>
    <message>
        <source>A copy of this scenario to edit and compare with it (Ctrl+D). Every view then shows both, A and B, and the difference.</source>
        <translation>复制当前场景，供修改和比较 (Ctrl+D)。之后每个视图都显示 A、B 两者及其差异。</translation>
    </message>
    <message>
        <source>&amp;Rename…</source>
        <translation>改名(&amp;R)…</translation>
    </message>
    <message>
        <source>&amp;Pin as A: compare the others with this one</source>
        <translation>固定为 A：其他方案与它比较(&amp;P)</translation>
    </message>
    <message>
        <source>Move &amp;left</source>
        <translation>左移(&amp;L)</translation>
    </message>
    <message>
        <source>Move r&amp;ight</source>
        <translation>右移(&amp;I)</translation>
    </message>
    <message>
        <source>&amp;Delete</source>
        <translation>删除(&amp;D)</translation>
    </message>
    <message>
        <source>Ne&amp;xt variant</source>
        <translation>下一个方案(&amp;X)</translation>
    </message>
    <message>
        <source>Pre&amp;vious variant</source>
        <translation>上一个方案(&amp;V)</translation>
    </message>
    <message>
        <source>%1 is a copy: edit it, and it is shown next to %2, in the place of an algorithm to compare.</source>
        <translation>%1 是副本：修改后会与 %2 并列显示，代替用来比较的算法。</translation>
    </message>
    <message>
        <source>does not run</source>
        <translation>无法运行</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>does not fit</source>
        <translation>放不下</translation>
    </message>
    <message>
        <source>Like A (%1).</source>
        <translation>与 A（%1）相同。</translation>
    </message>
    <message>
        <source>Differs from A (%1): %2.</source>
        <translation>与 A（%1）不同：%2。</translation>
    </message>
    <message>
        <source>Bar: blue while the core multiplies, hatched while it waits for communication; its length is the time.</source>
        <translation>条形：蓝色为核心计算，斜线为等待通信；长度为时间。</translation>
    </message>
    <message>
        <source>Click to show, double click to rename, drag to move.</source>
        <translation>单击显示，双击改名，拖动移动。</translation>
    </message>
</context>
<context>
    <name>meshslice::ui::Veil</name>
    <message>
        <source>Updating… (showing the previous result)</source>
        <translation>正在更新…（显示的是之前的结果）</translation>
    </message>
</context>
<context>
    <name>meshslice::ui::View</name>
    <message>
        <source>This has not been computed for the scenario yet.</source>
        <translation>该场景还没有计算这一项。</translation>
    </message>
    <message>
        <source>%1; MeshSlice Explorer %2</source>
        <translation>%1；MeshSlice Explorer %2</translation>
    </message>
    <message>
        <source>%1: %2, %3 on %4</source>
        <translation>%1：%2，%3，%4</translation>
    </message>
    <message>
        <source>%1 on %2</source>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>%1; %2</source>
        <translation>%1；%2</translation>
    </message>
    <message>
        <source> and </source>
        <translation> 和 </translation>
    </message>
</context>
<context>
    <name>meshslice::ui::ViewsDialog</name>
    <message>
        <source>&amp;PNG</source>
        <translation>PNG(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;SVG</source>
        <translation>SVG(&amp;S)</translation>
    </message>
    <message>
        <source>P&amp;DF</source>
        <translation>PDF(&amp;D)</translation>
    </message>
    <message>
        <source>&amp;CSV</source>
        <translation>CSV(&amp;C)</translation>
    </message>
    <message>
        <source>Export views</source>
        <translation>导出视图</translation>
    </message>
    <message>
        <source>Views to export</source>
        <translation>要导出的视图</translation>
    </message>
    <message>
        <source>Space ticks a view or takes its tick away</source>
        <translation>空格键勾选或取消勾选视图</translation>
    </message>
    <message>
        <source>A file of this kind for each view</source>
        <translation>每个视图一个此类文件</translation>
    </message>
    <message>
        <source>Size of the pictures</source>
        <translation>图的大小</translation>
    </message>
    <message>
        <source>&amp;All</source>
        <translation>全选(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;None</source>
        <translation>全不选(&amp;N)</translation>
    </message>
    <message>
        <source>Ticks every view</source>
        <translation>勾选所有视图</translation>
    </message>
    <message>
        <source>Takes every tick away</source>
        <translation>取消所有勾选</translation>
    </message>
    <message>
        <source>&amp;Folder…</source>
        <translation>文件夹(&amp;F)…</translation>
    </message>
    <message>
        <source>Asks for the folder and writes them there</source>
        <translation>选择文件夹并写入其中</translation>
    </message>
    <message>
        <source>Size: %1 × %2 pixels (“Export this view” sets another).</source>
        <translation>尺寸：%1 × %2 像素（“导出此视图”可另设）。</translation>
    </message>
    <message>
        <source>Size: %1 mm wide, as high as each needs (“Export this view” sets another).</source>
        <translation>尺寸：宽 %1 毫米，高度按各图需要（“导出此视图”可另设）。</translation>
    </message>
    <message>
        <source>Size: %1 × %2 mm (“Export this view” sets another).</source>
        <translation>尺寸：%1 × %2 毫米（“导出此视图”可另设）。</translation>
    </message>
</context>
<context>
    <name>meshslice::ui::Welcome</name>
    <message>
        <source>Will my model fit?</source>
        <translation>我的模型放得下吗？</translation>
    </message>
    <message>
        <source>What a chip holds, of what it has</source>
        <translation>一个芯片的内存用了多少</translation>
    </message>
    <message>
        <source>How fast should it train?</source>
        <translation>训练应该有多快？</translation>
    </message>
    <message>
        <source>Plans for any number of chips</source>
        <translation>任意芯片数的方案</translation>
    </message>
    <message>
        <source>Why is it slow?</source>
        <translation>为什么慢？</translation>
    </message>
    <message>
        <source>When cores multiply, and what they wait for</source>
        <translation>核心何时相乘，又在等什么</translation>
    </message>
    <message>
        <source>Teach me sharding</source>
        <translation>教我切分</translation>
    </message>
    <message>
        <source>Lessons with pictures that move</source>
        <translation>带动画的课程</translation>
    </message>
    <message>
        <source>How many users can it serve?</source>
        <translation>能服务多少用户？</translation>
    </message>
    <message>
        <source>Tokens per second, first token, memory</source>
        <translation>每秒词元数、首个词元、内存</translation>
    </message>
</context>
<context>
    <name>meshslice::ui::WelcomeDialog</name>
    <message>
        <source>Welcome</source>
        <translation>欢迎</translation>
    </message>
    <message>
        <source>Your own</source>
        <translation>自己的内容</translation>
    </message>
    <message>
        <source>Open a scenario or a project…</source>
        <translation>打开场景或项目…</translation>
    </message>
    <message>
        <source>Open a model&apos;s config.json…</source>
        <translation>打开模型的 config.json…</translation>
    </message>
    <message>
        <source>The file that Hugging Face keeps with a model</source>
        <translation>Hugging Face 随模型提供的文件</translation>
    </message>
    <message>
        <source>Recent files</source>
        <translation>最近的文件</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>You need: %1</source>
        <translation>需要：%1</translation>
    </message>
    <message>
        <source>Help &gt; Welcome opens this again.</source>
        <translation>“帮助 &gt; 欢迎”可再次打开。</translation>
    </message>
    <message>
        <source>Done. %1</source>
        <translation>已完成。%1</translation>
    </message>
    <message>
        <source>See where the time goes when a model is spread over many chips.</source>
        <translation>看看把模型分布到许多芯片上时，时间花在哪里。</translation>
    </message>
    <message>
        <source>Lessons (your project stays untouched)</source>
        <translation>课程（不影响你的项目）</translation>
    </message>
    <message>
        <source>Lessons: %1 of %2 done (your project stays untouched)</source>
        <translation>课程：已完成 %1/%2（不影响你的项目）</translation>
    </message>
    <message>
        <source>Examples: whole runs, and pairs that make one point</source>
        <translation>示例：整个运行，以及各说明一点的成对变体</translation>
    </message>
</context>
<context>
    <name>meshslice::ui::WelcomePictures</name>
    <message>
        <source>fits: %1 of %2</source>
        <translation>放得下：%1/%2</translation>
    </message>
    <message>
        <source>does not fit: %1 of %2</source>
        <translation>放不下：%1/%2</translation>
    </message>
    <message>
        <source>%1 tokens/s each</source>
        <translation>每位 %1 词元/秒</translation>
    </message>
</context>
<context>
    <name>meshslice::ui::WindowLayouts</name>
    <message>
        <source>Ctrl+D makes a second variant: its card then stands above the pictures.</source>
        <translation>按 Ctrl+D 创建第二个方案：它的卡片会出现在图的上方。</translation>
    </message>
</context>
<context>
    <name>meshslice::ui::WorkloadGroup</name>
    <message>
        <source>More about the model</source>
        <translation>模型的更多信息</translation>
    </message>
    <message>
        <source>Layers and sources…</source>
        <translation>各层与出处…</translation>
    </message>
    <message>
        <source>Open config.json…</source>
        <translation>打开 config.json…</translation>
    </message>
    <message>
        <source>Open a model</source>
        <translation>打开模型</translation>
    </message>
    <message>
        <source>Model configuration (*.json)</source>
        <translation>模型配置 (*.json)</translation>
    </message>
</context>
</TS>
